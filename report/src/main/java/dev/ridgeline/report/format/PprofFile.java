package dev.ridgeline.report.format;

import dev.ridgeline.profiler.Profile;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;

/** A gzipped {@code profile.proto} under construction: types first, then samples, then the end. */
final class PprofFile {
  // Fields of profile.proto, by message.
  private static final int SAMPLE_TYPE = 1;
  private static final int SAMPLE = 2;
  private static final int MAPPING = 3;
  private static final int LOCATION = 4;
  private static final int FUNCTION = 5;
  private static final int STRING_TABLE = 6;
  private static final int TIME_NANOS = 9;
  private static final int DURATION_NANOS = 10;
  private static final int COMMENT = 13;
  private static final int DEFAULT_SAMPLE_TYPE = 14;
  private static final int TYPE_NAME = 1;
  private static final int TYPE_UNIT = 2;
  private static final int SAMPLE_LOCATIONS = 1;
  private static final int SAMPLE_VALUES = 2;
  private static final int SAMPLE_LABEL = 3;
  private static final int LABEL_KEY = 1;
  private static final int LABEL_TEXT = 2;
  private static final int ID = 1;
  private static final int[] MAPPING_HAS_NAMES = {7, 8, 9};
  private static final int LOCATION_MAPPING = 2;
  private static final int LOCATION_LINE = 4;
  private static final int LINE_FUNCTION = 1;
  private static final int LINE_NUMBER = 2;
  private static final int FUNCTION_NAME = 2;
  private static final int FUNCTION_FILE = 4;

  private record Function(String name, String file) {}

  private record Location(long function, int line) {}

  private final GZIPOutputStream out;
  private final Proto file = new Proto();
  private final Map<String, Long> strings = new LinkedHashMap<>();
  private final Map<Function, Long> functions = new LinkedHashMap<>();
  private final Map<Location, Long> locations = new LinkedHashMap<>();

  PprofFile(OutputStream out) throws IOException {
    // Written without a date, so that the same profile is the same file.
    this.out = new GZIPOutputStream(out, 1 << 13);
    text("");
  }

  /** A value that every sample has. */
  void type(String name, String unit) throws IOException {
    file.message(
        SAMPLE_TYPE, new Proto().number(TYPE_NAME, text(name)).number(TYPE_UNIT, text(unit)));
    file.flush(out);
  }

  /** The number of a place that is only a name. */
  long location(String name) {
    return location(name, "", 0);
  }

  /** The number of a place in the code. */
  long location(String name, String source, int line) {
    Function key = new Function(name, source);
    long function = functions.computeIfAbsent(key, _ -> functions.size() + 1L);
    return locations.computeIfAbsent(new Location(function, line), _ -> locations.size() + 1L);
  }

  /** A stack, the innermost place first, with a value for each type. */
  void sample(long[] stack, Map<String, String> labels, long... values) throws IOException {
    Proto sample = new Proto().packed(SAMPLE_LOCATIONS, stack).packed(SAMPLE_VALUES, values);
    labels.forEach(
        (key, value) ->
            sample.message(
                SAMPLE_LABEL,
                new Proto().number(LABEL_KEY, text(key)).number(LABEL_TEXT, text(value))));
    file.message(SAMPLE, sample);
    file.flush(out);
  }

  void comment(String comment) {
    file.number(COMMENT, text(comment));
  }

  /** Writes what samples refer to. */
  void end(Profile profile, String shownFirst) throws IOException {
    functions.forEach(
        (function, id) -> {
          Proto message = new Proto().number(ID, id).number(FUNCTION_NAME, text(function.name));
          if (!function.file.isEmpty()) message.number(FUNCTION_FILE, text(function.file));
          file.message(FUNCTION, message);
        });
    locations.forEach(
        (location, id) -> {
          Proto line = new Proto().number(LINE_FUNCTION, location.function);
          if (location.line > 0) line.number(LINE_NUMBER, location.line);
          Proto message = new Proto().number(ID, id).number(LOCATION_MAPPING, 1);
          file.message(LOCATION, message.message(LOCATION_LINE, line));
        });
    // Without a mapping that has its names already, pprof looks for a program to find them in.
    Proto mapping = new Proto().number(ID, 1);
    for (int has : MAPPING_HAS_NAMES) mapping.number(has, 1);
    file.message(MAPPING, mapping);
    file.number(TIME_NANOS, epochNanos(profile.started()));
    file.number(DURATION_NANOS, profile.wallNanos());
    file.number(DEFAULT_SAMPLE_TYPE, text(shownFirst));
    for (String string : List.copyOf(strings.keySet())) file.text(STRING_TABLE, string);
    file.flush(out);
    out.finish();
  }

  private long text(String text) {
    return strings.computeIfAbsent(text, _ -> (long) strings.size());
  }

  static long epochNanos(Instant time) {
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }
}
