package dev.ridgeline.profiler;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * A recording that another program writes, read chunk by chunk as they are finished. Its ticks must
 * be those of {@link System#nanoTime}.
 */
final class RecordedChunks implements Closeable {
  // The header of a chunk, in bytes from its start.
  private static final int HEADER = 68;
  private static final int SIZE = 8;
  private static final int START_NANOS = 32;
  private static final int START_TICKS = 48;
  private static final int TICKS_PER_SECOND = 56;

  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final int BUFFER = 1 << 20;

  /** Takes an event and its time on the clock of {@link System#nanoTime}. */
  interface Reader {
    void event(RecordedEvent event, long nanos);
  }

  /** Not a channel, which closes itself when a thread that reads is interrupted. */
  private final RandomAccessFile file;

  private final long before;
  private final long after;
  private long position;

  /**
   * @param before a time before the recording was begun
   * @param after a time after that
   */
  RecordedChunks(Path file, long before, long after) throws IOException {
    this.file = new RandomAccessFile(file.toFile(), "r");
    this.before = before;
    this.after = after;
  }

  /** Up to where it was read. */
  long position() {
    return position;
  }

  /** Reads the chunks that were finished since. */
  void read(Reader reader) throws IOException {
    while (position + HEADER <= file.length()) {
      ByteBuffer header = ByteBuffer.wrap(bytes(position, HEADER));
      long size = header.getLong(SIZE);
      // An unfinished one says that it is larger than it is.
      if (size < HEADER || position + size > file.length()) return;
      checkClock(header);
      Path chunk = Files.createTempFile("ridgeline-async-", ".jfr");
      try {
        try (OutputStream out = Files.newOutputStream(chunk)) {
          copy(position, size, out);
        }
        events(chunk, header.getLong(START_NANOS) - header.getLong(START_TICKS), reader);
      } finally {
        Files.delete(chunk);
      }
      position += size;
    }
  }

  private void checkClock(ByteBuffer header) throws IOException {
    long ticks = header.getLong(START_TICKS);
    boolean known = position > 0 || ticks >= before && ticks <= after;
    if (known && header.getLong(TICKS_PER_SECOND) == NANOS_PER_SECOND) return;
    throw new IOException("its clock is not the one of scopes");
  }

  private static void events(Path chunk, long offset, Reader reader) throws IOException {
    try (RecordingFile recording = new RecordingFile(chunk)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        Instant start = event.getStartTime();
        long epoch = start.getEpochSecond() * NANOS_PER_SECOND + start.getNano();
        reader.event(event, epoch - offset);
      }
    }
  }

  /** Writes what was read to another file. */
  void copyTo(OutputStream out) throws IOException {
    copy(0, position, out);
  }

  private void copy(long from, long size, OutputStream out) throws IOException {
    for (long done = 0; done < size; ) {
      byte[] part = bytes(from + done, (int) Math.min(BUFFER, size - done));
      out.write(part);
      done += part.length;
    }
  }

  private byte[] bytes(long from, int size) throws IOException {
    byte[] bytes = new byte[size];
    file.seek(from);
    file.readFully(bytes);
    return bytes;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
