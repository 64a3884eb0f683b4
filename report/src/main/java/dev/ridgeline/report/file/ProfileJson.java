package dev.ridgeline.report.file;

import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.json.Records;
import dev.ridgeline.report.json.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;

/**
 * A profile as {@code profile.json}, the file that every other format can be drawn from again; what
 * is read equals what was written.
 *
 * <p>Nodes are kept by column ({@code "calls":[3,150,…]}), parents by index, names by index into
 * one table; a column that holds nothing but its neutral value is left out. Sampled stacks are a
 * tree of calls in the same way, outermost first. What self time was waiting is kept by kind
 * ({@code lockNanos}, {@code parkedNanos}, {@code sleepNanos}, {@code ioNanos}, {@code
 * otherWaitNanos}); {@code waits.contentions} says who held the locks.
 */
public final class ProfileJson {
  static final Schema SCHEMA = new Schema("profile", 1, 256L << 20);

  /** What the JVM does not tell is −1; a pause that began before the session, negative. */
  static final Records RECORDS =
      new Records()
          .least(Profile.UNKNOWN, "collections", "millis", "jitMillis", "cpuNanos", "peakRssBytes")
          .least(Profile.UNKNOWN, "heapAfterBytes", "heapAfterGcBytes", "heapUsedBytes")
          .least(Profile.UNKNOWN, "heapMaxBytes")
          .least(Long.MIN_VALUE, "atNanos");

  private ProfileJson() {}

  /** Writes a profile. */
  public static void write(Profile profile, OutputStream out) throws IOException {
    try (JsonGenerator json = Json.compact(out)) {
      new ProfileWriter(json).write(profile);
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  /** Reads a profile; a {@link FileException} says in one line what is wrong with the file. */
  public static Profile read(Path file) {
    return ProfileReader.profile(Json.read(file, SCHEMA));
  }

  /** Reads a profile from a stream that messages name {@code source}. */
  public static Profile read(String source, InputStream in) throws IOException {
    return ProfileReader.profile(Json.read(source, in, SCHEMA));
  }
}
