package dev.ridgeline.agent.record;

import dev.ridgeline.agent.scope.NearMisses;
import dev.ridgeline.agent.scope.ScopeRules;
import dev.ridgeline.profiler.AsyncProfiler;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.Sampling;
import dev.ridgeline.report.Format;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is asked of the agent, written {@code scope=com.acme.**,Foo.bar(int,long),level=time}.
 *
 * <p>Options are separated by commas; a word without {@code =} belongs to the option before it, so
 * that lists need no quotes. A comma inside parentheses separates nothing, nor does one after a
 * backslash.
 *
 * @param level what is recorded: as much as the formats need
 * @param sample what is sampled
 * @param given every option as it was written, for the record
 */
public record AgentOptions(
    List<String> scopes,
    Level level,
    Path runs,
    List<Format> formats,
    String sample,
    Map<String, String> given) {
  /** Every option and what it is when nobody gives it. */
  private static final Map<String, String> DEFAULTS = defaults();

  /** Options that are numbers, and the least they can be. */
  private static final Map<String, Integer> NUMBERS =
      Map.of("top", 1, "trace-limit", 1, "nodes", 1, "budget", 0);

  private static final List<String> FLAGS = List.of("handovers", "quiet", "stop");
  private static final List<String> SAMPLES = List.of("none", "cpu", "alloc", "all");
  private static final List<String> SAMPLERS = List.of("jfr", "async");

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  private static Map<String, String> defaults() {
    Map<String, String> defaults = new LinkedHashMap<>();
    defaults.put("scope", "");
    defaults.put("exclude", "");
    defaults.put("level", "allocation");
    defaults.put("top", "15");
    defaults.put("runs", "");
    defaults.put("formats", "html,md,top");
    defaults.put("trace-limit", "64");
    defaults.put("sample", "");
    defaults.put("sampler", "jfr");
    defaults.put("event", "cpu");
    defaults.put("name", "");
    defaults.put("nodes", "50000");
    defaults.put("handovers", "on");
    defaults.put("budget", "1000000");
    defaults.put("snapshot", "10s");
    defaults.put("duration", "");
    defaults.put("quiet", "off");
    defaults.put("ceilings", "");
    defaults.put("answer", "");
    defaults.put("stop", "off");
    return defaults;
  }

  /**
   * Reads options; an IllegalArgumentException says in one line what is wrong.
   *
   * @param environmentRuns the folder of runs when none is given, or null
   */
  public static AgentOptions parse(String text, String environmentRuns) {
    Map<String, List<String>> words = words(text);
    Map<String, String> given = new LinkedHashMap<>();
    words.forEach((key, values) -> given.put(key, String.join(",", values)));
    List<String> scopes = new ArrayList<>(words.getOrDefault("scope", List.of()));
    for (String pattern : words.getOrDefault("exclude", List.of())) scopes.add("!" + pattern);
    scopes.removeIf(String::isBlank);
    ScopeRules.of(scopes);
    String runs = value(given, "runs");
    if (runs.isEmpty()) {
      runs = environmentRuns == null || environmentRuns.isEmpty() ? "runs" : environmentRuns;
    }
    List<Format> formats = formats(value(given, "formats"));
    String sample = sample(given, formats, scopes.stream().allMatch(p -> p.startsWith("!")));
    Level level = level(value(given, "level"), given.containsKey("level"), formats);
    AgentOptions options =
        new AgentOptions(List.copyOf(scopes), level, path("runs", runs), formats, sample, given);
    options.check();
    return options;
  }

  /** Asks for everything once, so that what is wrong is said at the start. */
  private void check() {
    NUMBERS.keySet().forEach(this::number);
    FLAGS.forEach(this::flag);
    async();
    event();
    snapshot();
    duration();
    ceilings();
  }

  String name() {
    return value(given, "name");
  }

  Duration snapshot() {
    return duration("snapshot", value(given, "snapshot"));
  }

  /** How long to record, null for as long as the program runs. */
  Duration duration() {
    return duration("duration", value(given, "duration"));
  }

  /** A file of what the machine can do, or null. */
  Path ceilings() {
    String file = value(given, "ceilings");
    return file.isEmpty() ? null : path("ceilings", file);
  }

  /** Who is to be told even that the rest cannot be read; null when nobody is. */
  static Path answer(String text) {
    for (Word word : split(text)) {
      if (word.equals < 0 || !word.text.substring(0, word.equals).strip().equals("answer"))
        continue;
      String file = word.text.substring(word.equals + 1).strip();
      if (!file.isEmpty()) return path("answer", file);
    }
    return null;
  }

  /** The text that {@link #parse} reads as these options. */
  public static String write(Map<String, List<String>> options) {
    List<String> parts = new ArrayList<>();
    options.forEach(
        (key, values) ->
            parts.add(
                key + "=" + String.join(",", values.stream().map(AgentOptions::escape).toList())));
    return String.join(",", parts);
  }

  private static String escape(String value) {
    StringBuilder escaped = new StringBuilder();
    for (char c : value.toCharArray()) {
      if (c == ',' || c == '\\' || c == '(' || c == ')' || c == '=') escaped.append('\\');
      escaped.append(c);
    }
    return escaped.toString();
  }

  private static Map<String, List<String>> words(String text) {
    Map<String, List<String>> words = new LinkedHashMap<>();
    String key = null;
    for (Word word : split(text)) {
      if (word.text.isBlank()) continue;
      if (word.equals > 0) {
        key = word.text.substring(0, word.equals).strip();
        if (!DEFAULTS.containsKey(key)) throw unknown(key);
        words
            .computeIfAbsent(key, _ -> new ArrayList<>())
            .add(word.text.substring(word.equals + 1).strip());
      } else if (key == null && DEFAULTS.containsKey(word.text)) {
        words.computeIfAbsent(word.text, _ -> new ArrayList<>()).add("on");
      } else if (key == null) {
        throw unknown(word.text);
      } else {
        words.get(key).add(word.text.strip());
      }
    }
    return words;
  }

  /** A word without its backslashes, and where its first plain = is. */
  private record Word(String text, int equals) {}

  private static List<Word> split(String text) {
    List<Word> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    int equals = -1;
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        word.append(text.charAt(++i));
        continue;
      }
      if (c == '(') depth++;
      if (c == ')') depth--;
      if (c == ',' && depth <= 0) {
        words.add(new Word(word.toString(), equals));
        word.setLength(0);
        equals = -1;
        continue;
      }
      if (c == '=' && equals < 0) equals = word.length();
      word.append(c);
    }
    words.add(new Word(word.toString(), equals));
    return words;
  }

  private static IllegalArgumentException unknown(String key) {
    List<String> near = NearMisses.nearest(key, DEFAULTS.keySet());
    return new IllegalArgumentException(
        "no option '%s'; %s"
            .formatted(
                key,
                near.isEmpty()
                    ? "there are " + String.join(", ", DEFAULTS.keySet())
                    : "did you mean " + String.join(" or ", near) + "?"));
  }

  private static String value(Map<String, String> given, String key) {
    return given.getOrDefault(key, DEFAULTS.get(key));
  }

  /** What is recorded: as much as the formats need, unless that was asked to be less. */
  private static Level level(String value, boolean given, List<Format> formats) {
    Level level = level(value);
    for (Format format : formats) {
      if (format.level().compareTo(level) <= 0) continue;
      if (given) {
        throw new IllegalArgumentException(
            "formats: %s needs level=%s".formatted(format.id(), word(format.level())));
      }
      level = format.level();
    }
    return level;
  }

  /**
   * What is sampled: who names a sampler or a format that needs samples wants them, and without a
   * pattern they are the profile.
   */
  private static String sample(Map<String, String> given, List<Format> formats, boolean noPattern) {
    boolean asked = given.containsKey("sample");
    String unasked = noPattern ? "cpu" : "none";
    String value = choice("sample", given.getOrDefault("sample", unasked), SAMPLES);
    for (Format format : formats) {
      if (!format.needsSamples() || takesCpu(value)) continue;
      if (asked)
        throw new IllegalArgumentException("formats: " + format.id() + " needs sample=cpu");
      value = "all";
    }
    if (!given.containsKey("sampler") || asked && !value.equals("none")) return value;
    if (asked) throw new IllegalArgumentException("sampler: sample=none leaves it nothing to do");
    return "all";
  }

  private static boolean takesCpu(String sample) {
    return sample.equals("cpu") || sample.equals("all");
  }

  Samples.Event event() {
    String value = value(given, "event");
    try {
      Samples.Event event = Samples.Event.of(value);
      if (event == Samples.Event.CPU) return event;
      if (!async()) throw new IllegalArgumentException(value + ": needs sampler=async");
      if (!takesCpu(sample)) throw new IllegalArgumentException(value + ": needs sample=cpu");
      return event;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("event=" + e.getMessage(), e);
    }
  }

  private static String choice(String key, String value, List<String> choices) {
    if (choices.contains(value)) return value;
    throw new IllegalArgumentException(key + "=" + value + ": " + String.join(", ", choices));
  }

  /** Whether async-profiler takes the samples. */
  boolean async() {
    return choice("sampler", value(given, "sampler"), SAMPLERS).equals("async");
  }

  /**
   * How the session samples.
   *
   * @param profiler takes the samples, null for the flight recorder
   * @param draft where a recording is written, if one was asked for
   */
  Sampling sampling(AsyncProfiler profiler, Path draft) {
    Sampling sampling = Sampling.NONE.withAsync(profiler);
    if (takesCpu(sample)) sampling = sampling.withCpu();
    if (event() != Samples.Event.CPU) sampling = sampling.withEvent(event());
    if (sample.equals("alloc") || sample.equals("all")) sampling = sampling.withAllocations();
    if (!formats.contains(Format.JFR)) return sampling;
    return sampling.withRecording(
        draft.resolve(Format.JFR.fileName()), 1_000_000L * number("trace-limit"));
  }

  private static String word(Level level) {
    return level.name().toLowerCase(Locale.ROOT);
  }

  private static Level level(String value) {
    for (Level level : Level.values()) {
      if (level != Level.OFF && word(level).equals(value)) return level;
    }
    throw new IllegalArgumentException("level=" + value + ": time, allocation or trace");
  }

  /** A number by the name of its option. */
  int number(String key) {
    String value = value(given, key);
    int least = NUMBERS.get(key);
    try {
      int number = Integer.parseInt(value);
      if (number >= least) return number;
    } catch (NumberFormatException _) {
      // Said below.
    }
    throw new IllegalArgumentException(key + "=" + value + ": a number, at least " + least);
  }

  /** Whether an option is switched on. */
  boolean flag(String key) {
    String value = value(given, key);
    return switch (value) {
      case "on", "true" -> true;
      case "off", "false" -> false;
      default -> throw new IllegalArgumentException(key + "=" + value + ": on or off");
    };
  }

  /** A duration such as {@code 30s}; null when empty. */
  public static Duration duration(String key, String value) {
    if (value.isEmpty()) return null;
    Matcher parts = DURATION.matcher(value);
    if (!parts.matches() || Long.parseLong(parts.group(1)) == 0) {
      throw new IllegalArgumentException(key + "=" + value + ": a time such as 500ms, 30s or 5m");
    }
    long number = Long.parseLong(parts.group(1));
    return switch (parts.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }

  private static Path path(String key, String value) {
    try {
      return Path.of(value).toAbsolutePath();
    } catch (java.nio.file.InvalidPathException e) {
      throw new IllegalArgumentException(key + "=" + value + ": not a file name");
    }
  }

  private static List<Format> formats(String value) {
    List<Format> formats = new ArrayList<>();
    for (String id : value.split(",")) {
      if (id.isBlank() || id.equals("none")) continue;
      if (id.equals("all")) {
        formats.addAll(Arrays.stream(Format.values()).filter(f -> !f.compares()).toList());
      } else {
        formats.add(Format.of(id));
        if (formats.getLast().compares()) {
          throw new IllegalArgumentException(formats.getLast().refusal(null));
        }
      }
    }
    // profile.json is always written, and the console's is printed.
    formats.removeIf(format -> format == Format.JSON || format.fileName().isEmpty());
    return formats.stream().distinct().toList();
  }
}
