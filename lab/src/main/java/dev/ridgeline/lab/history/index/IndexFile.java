package dev.ridgeline.lab.history.index;

import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.run.RunJson;
import dev.ridgeline.report.run.Runs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * The index of a folder of runs: a line for each run, which begins with a checksum of the rest of
 * it, then when its {@code run.json} was written and how large that is, its directory's name, and
 * the run as JSON.
 *
 * <p>It can be made again from the runs, so nothing in it is believed: a line whose checksum is
 * wrong is as good as none, and so is a file that begins otherwise. Lines are cut apart without
 * being understood; whoever needs a run reads its JSON then.
 */
final class IndexFile {
  private static final byte[] HEAD =
      ("ridgeline index 1, runs " + RunJson.VERSION + "\n").getBytes(StandardCharsets.US_ASCII);

  private static final int CHECKSUM = 8;
  private static final long LARGEST = 1L << 30;
  private static final Duration STALE = Duration.ofHours(1);

  private final Path file;

  IndexFile(Path file) {
    this.file = file;
  }

  /**
   * A line of the file.
   *
   * @param state {@link Runs.Entry#state} when the run was read
   * @param json the run
   */
  record Line(String state, byte[] json) {}

  /** The lines that are whole, by their state; none where there is no such file. */
  Map<String, Line> read() {
    Map<String, Line> lines = new HashMap<>();
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > LARGEST) return lines;
      byte[] all = Files.readAllBytes(file);
      if (all.length < HEAD.length || !Arrays.equals(HEAD, Arrays.copyOf(all, HEAD.length))) {
        return lines;
      }
      for (int from = HEAD.length; from < all.length; ) {
        int end = from;
        while (end < all.length && all[end] != '\n') end++;
        Line line = end < all.length ? line(all, from, end) : null;
        if (line != null) lines.put(line.state(), line);
        from = end + 1;
      }
    } catch (IOException _) {
      // As if there were none.
    }
    return lines;
  }

  private static Line line(byte[] all, int from, int end) {
    int key = from + CHECKSUM + 1;
    if (key >= end) return null;
    int tab = key;
    while (tab < end && all[tab] != '\t') tab++;
    if (tab == end) return null;
    String checksum = new String(all, from, CHECKSUM, StandardCharsets.ISO_8859_1);
    if (!checksum.equals(checksum(all, key, end))) return null;
    return new Line(
        new String(all, key, tab - key, StandardCharsets.UTF_8),
        Arrays.copyOfRange(all, tab + 1, end));
  }

  private static String checksum(byte[] bytes, int from, int end) {
    CRC32 crc = new CRC32();
    crc.update(bytes, from, end - from);
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }

  /**
   * Replaces the file. That it cannot be written makes the next reading slower and is no more of
   * anybody's business.
   */
  void write(Collection<Line> lines) {
    try {
      if (Files.isDirectory(file.getParent())) removeStale();
      WholeFile.writeInFolder(
          file,
          out -> {
            out.write(HEAD);
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (Line each : lines) {
              line.reset();
              line.writeBytes(each.state().getBytes(StandardCharsets.UTF_8));
              line.write('\t');
              line.writeBytes(each.json());
              byte[] bytes = line.toByteArray();
              String checksum = checksum(bytes, 0, bytes.length);
              out.write(checksum.getBytes(StandardCharsets.US_ASCII));
              out.write(' ');
              out.write(bytes);
              out.write('\n');
            }
          });
    } catch (IOException | FileException _) {
      // A folder that is read-only, or a full disk.
    }
  }

  /** What killed processes left beside the file; what cannot be cleared away stays. */
  private void removeStale() throws IOException {
    Instant recent = Instant.now().minus(STALE);
    try (DirectoryStream<Path> unfinished = Files.newDirectoryStream(file.getParent(), ".tmp-*")) {
      for (Path each : unfinished) {
        if (each.toFile().lastModified() < recent.toEpochMilli()) Runs.delete(each);
      }
    }
  }
}
