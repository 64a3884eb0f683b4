package dev.ridgeline.cli.history;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.lab.history.Selection;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The options that say which runs are meant. */
final class HistoryOptions {
  static final Setting<String> NAME =
      Setting.text("--name NAME", "Only runs whose name begins so: embed, ab.");
  static final Setting<String> METRIC =
      Setting.text("--metric METRIC", "Only runs with such a metric, and its value.");
  static final Setting<String> MACHINE =
      Setting.text("--machine WORDS", "Only runs on machines with these words: 'Zen 4'.");
  static final Setting<String> REVISION =
      Setting.text("--revision REV", "Only runs of sources whose revision begins so.");
  static final Setting<String> SINCE =
      Setting.text("--since WHEN", "Only runs since a day (2026-11-16) or for 36h or 7d.");

  private static final Pattern AGE = Pattern.compile("(\\d{1,6})([mhdw])");

  private HistoryOptions() {}

  static Selection selection(Settings settings, Instant now) {
    return new Selection(
        text(settings, NAME),
        text(settings, METRIC),
        text(settings, MACHINE),
        text(settings, REVISION),
        since(text(settings, SINCE), now));
  }

  private static String text(Settings settings, Setting<String> setting) {
    String text = settings.read(setting);
    return text == null ? "" : text;
  }

  static Instant since(String text, Instant now) {
    if (text.isEmpty()) return Instant.MIN;
    Matcher age = AGE.matcher(text);
    if (age.matches()) {
      long count = Long.parseLong(age.group(1));
      return now.minus(
          switch (age.group(2)) {
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            case "d" -> Duration.ofDays(count);
            default -> Duration.ofDays(7 * count);
          });
    }
    try {
      return text.contains("T")
          ? Instant.parse(text)
          : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeException _) {
      throw new Problem(
          "--since %s: a day such as 2026-11-16, a moment such as 2026-11-16T10:00:00Z, or an age such as 7d"
              .formatted(text));
    }
  }
}
