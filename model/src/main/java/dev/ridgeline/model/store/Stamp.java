package dev.ridgeline.model.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Properties;

/**
 * What is known of a file in the cache, kept beside it. When the stamp itself was last touched is
 * when the model was last used.
 *
 * @param name the model's name in full
 * @param source what it was made of; made of something else, it is made anew
 * @param digest SHA-256 of its content
 * @param size in bytes
 * @param modified when the file was last written: while this and the size hold, the digest does
 */
record Stamp(String name, String source, String digest, long size, Instant modified) {
  private static final String SUFFIX = ".stamp";

  static Stamp of(String name, String source, String digest, Path file) throws IOException {
    BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
    return new Stamp(name, source, digest, now.size(), now.lastModifiedTime().toInstant());
  }

  static Path beside(Path file) {
    return file.resolveSibling(file.getFileName() + SUFFIX);
  }

  /** Whether the file has the size and the time that it had when its digest was taken. */
  boolean fits(Path file) throws IOException {
    BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
    return now.size() == size && now.lastModifiedTime().toInstant().equals(modified);
  }

  /** The stamp of a file, or null where there is none that can be understood. */
  static Stamp read(Path file) {
    try {
      Properties kept = Notes.read(beside(file));
      return new Stamp(
          needed(kept, "name"),
          needed(kept, "source"),
          needed(kept, "sha256"),
          Long.parseLong(needed(kept, "size")),
          Instant.parse(needed(kept, "modified")));
    } catch (IOException | RuntimeException _) {
      return null;
    }
  }

  private static String needed(Properties kept, String key) {
    String value = kept.getProperty(key);
    if (value == null) throw new IllegalArgumentException(key);
    return value;
  }

  void write(Path file) throws IOException {
    Map<String, String> notes =
        Map.of(
            "name", name,
            "source", source,
            "sha256", digest,
            "size", Long.toString(size),
            "modified", modified.toString());
    Notes.write(beside(file), notes);
  }

  /** Remembers that the model is used now. */
  static void touch(Path file) {
    try {
      Files.setLastModifiedTime(beside(file), FileTime.from(Instant.now()));
    } catch (IOException _) {
      // A cache that can only be read is as good as any.
    }
  }

  static Instant lastUse(Path file) throws IOException {
    Path stamp = beside(file);
    return Files.getLastModifiedTime(Files.exists(stamp) ? stamp : file, LinkOption.NOFOLLOW_LINKS)
        .toInstant();
  }
}
