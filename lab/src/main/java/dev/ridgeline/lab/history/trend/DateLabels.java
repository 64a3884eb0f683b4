package dev.ridgeline.lab.history.trend;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Moments of an axis, in UTC: with what they need to be told apart, and no more. */
final class DateLabels {
  private static final DateTimeFormatter DAY = format("uuuu-MM-dd");
  private static final DateTimeFormatter MINUTE = format("MM-dd HH:mm");
  private static final DateTimeFormatter FULL = format("uuuu-MM-dd HH:mm");

  private final DateTimeFormatter format;

  private DateLabels(DateTimeFormatter format) {
    this.format = format;
  }

  /** Days where the points span more than four of them. */
  static DateLabels of(List<Trend.Point> points) {
    Duration span = Duration.between(points.getFirst().time(), points.getLast().time());
    return new DateLabels(span.toDays() > 4 ? DAY : MINUTE);
  }

  String text(Instant moment) {
    return format.format(moment);
  }

  /** Day and minute. */
  static String full(Instant moment) {
    return FULL.format(moment);
  }

  private static DateTimeFormatter format(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
  }
}
