package dev.ridgeline.tensor.gguf;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** Damaged files are read or refused with path and reason; nothing else ever happens. */
@Execution(CONCURRENT)
class GgufFuzzTest {
  private static final int MUTATIONS = 60_000;
  private static final int FILES = 1_000;
  private static final long[] INTERESTING = {
    0,
    1,
    -1,
    2,
    31,
    32,
    255,
    256,
    1 << 16,
    1 << 24,
    1L << 31,
    1L << 32,
    1L << 40,
    1L << 62,
    Integer.MAX_VALUE,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  @TempDir Path folder;

  @Test
  void damagedHeadersAreReadOrRefusedWithPathAndReason() {
    Path path = Path.of("damaged.gguf");
    assertReadOrRefused(
        MUTATIONS,
        path,
        bytes -> {
          Header header = Header.read(path, MemorySegment.ofArray(bytes));
          readAll(header.metadata(), header.tensors().values());
        });
  }

  /** Mapping and closing take most of the time: so fewer, in the same way. */
  @Test
  void damagedFilesAreReadOrRefusedWithPathAndReason() {
    Path path = folder.resolve("damaged.gguf");
    assertReadOrRefused(
        FILES,
        path,
        bytes -> {
          Files.write(path, bytes);
          try (Gguf file = Gguf.open(path)) {
            readAll(file.metadata(), file.tensors());
          }
        });
  }

  private interface Reading {
    void read(byte[] bytes) throws IOException;
  }

  private void assertReadOrRefused(int mutations, Path path, Reading reading) {
    byte[] sound = sound();
    int refused = 0;
    for (int seed = 0; seed < mutations; seed++) {
      try {
        reading.read(damaged(sound, new Random(seed)));
      } catch (GgufException e) {
        refused++;
        String reason = e.getMessage().substring(path.toString().length());
        boolean fine = e.getMessage().startsWith(path + ": ") && reason.matches(": .{8,}");
        assertThat(fine).as("seed %d: %s", seed, e.getMessage()).isTrue();
      } catch (IOException | RuntimeException | Error e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    // Both ways were tried.
    assertThat(refused).isBetween(mutations / 10, mutations * 9 / 10);
  }

  private byte[] sound() {
    try {
      Path path = folder.resolve("sound.gguf");
      SmallFiles.everything().write(path);
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void readAll(Metadata metadata, Collection<GgufTensor> tensors) {
    for (String key : metadata.keys()) metadata.value(key);
    for (GgufTensor tensor : tensors) {
      long bytes = tensor.data().byteSize();
      if (bytes != tensor.type().bytes(tensor.count())) throw new AssertionError(tensor.name());
      tensor.data().get(JAVA_BYTE, bytes - 1);
    }
  }

  /** One to three kinds of damage, one after the other. */
  private static byte[] damaged(byte[] sound, Random random) {
    byte[] bytes = sound.clone();
    for (int i = 1 + random.nextInt(3); i > 0; i--) bytes = once(bytes, random);
    return bytes;
  }

  private static byte[] once(byte[] bytes, Random random) {
    if (bytes.length < 16) return bytes;
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int at = random.nextInt(bytes.length - 8);
    long number = INTERESTING[random.nextInt(INTERESTING.length)];
    switch (random.nextInt(7)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes[at] = (byte) random.nextInt();
      case 2 -> buffer.putLong(at, number);
      case 3 -> buffer.putInt(at, (int) number);
      case 4 -> buffer.putLong(at, buffer.getLong(at) + random.nextInt(65) - 32);
      case 5 -> {
        int length = Math.min(random.nextInt(40), bytes.length - at - 1);
        System.arraycopy(bytes, random.nextInt(bytes.length - length), bytes, at, length);
      }
      default -> {
        return Arrays.copyOf(bytes, at);
      }
    }
    return bytes;
  }
}
