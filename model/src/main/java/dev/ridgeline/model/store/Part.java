package dev.ridgeline.model.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * What has arrived of a file, and what the server said of the whole when it began to arrive: bytes
 * of two versions must never meet in one file.
 */
final class Part {
  private final Path file;
  private final Path notes;
  private Version version;

  Part(Path folder) {
    file = folder.resolve("part");
    notes = folder.resolve("part.version");
    version = read();
    if (version == null) version = Version.UNKNOWN;
  }

  /**
   * How one version of a file is told from another.
   *
   * @param tag the entity tag of the host that sends the bytes, or ""
   * @param linkedTag the tag of the hub, or ""
   * @param size or -1
   */
  record Version(String tag, String linkedTag, long size) {
    static final Version UNKNOWN = new Version("", "", -1);

    /** SHA-256 of the content, or null: other tags of the same length are not in use. */
    String digest() {
      for (String each : new String[] {linkedTag, tag}) {
        String bare = each.replaceFirst("^W/", "").replace("\"", "");
        if (bare.matches("[0-9a-f]{64}")) return bare;
      }
      return null;
    }

    /** A weak tag vouches for the meaning, not for the bytes. */
    boolean hasStrongTag() {
      return !tag.isEmpty() && !tag.startsWith("W/");
    }

    /** Whether bytes of this version may follow those of another. */
    boolean continues(Version earlier) {
      return size == earlier.size
          && linkedTag.equals(earlier.linkedTag)
          && (tag.equals(earlier.tag) || !linkedTag.isEmpty())
          && (hasStrongTag() || !linkedTag.isEmpty());
    }
  }

  Path file() {
    return file;
  }

  Version version() {
    return version;
  }

  long length() throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  /** What to ask the server for: the rest if it is known of what, else everything. */
  Map<String, String> wanted() throws IOException {
    boolean known = version.hasStrongTag() || !version.linkedTag.isEmpty();
    if (length() == 0 || !known) return Map.of();
    Map<String, String> headers = new HashMap<>();
    headers.put("Range", "bytes=" + length() + "-");
    if (version.hasStrongTag()) headers.put("If-Range", version.tag);
    return headers;
  }

  /** Begins anew. */
  void begin(Version version) throws IOException {
    discard();
    Map<String, String> said =
        Map.of(
            "tag", version.tag, "linked", version.linkedTag, "size", Long.toString(version.size));
    Notes.write(notes, said);
    this.version = version;
  }

  void discard() throws IOException {
    Files.deleteIfExists(file);
    Files.deleteIfExists(notes);
    version = Version.UNKNOWN;
  }

  private Version read() {
    try {
      Properties kept = Notes.read(notes);
      return new Version(
          kept.getProperty("tag", ""),
          kept.getProperty("linked", ""),
          Long.parseLong(kept.getProperty("size", "-1")));
    } catch (IOException | RuntimeException _) {
      return null;
    }
  }
}
