package dev.ridgeline.model.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged files are refused with path and reason, or read; nothing else ever happens. */
class ImportFuzzTest {
  private static final int MUTATIONS = 30_000;
  private static final long SEED = 20261115;

  @TempDir private Path folder;

  @Test
  void damagedOnnxFilesAreRefusedOrRead() throws Exception {
    Path path = TinyBert.writeOnnx(folder);
    fuzz(
        path,
        bytes -> {
          OnnxFile file = OnnxFile.of(TruncationTest.mapping(bytes, path));
          try (ModelImport model = OnnxModel.of(file, ModelImport.Options.NONE)) {
            assertThat(model.architecture().slots()).isNotEmpty();
            readAll(OnnxEncoder.of(file).weights());
          }
        });
  }

  @Test
  void damagedSafetensorsAreRefusedOrRead() throws Exception {
    Path path = TinyBert.writeFolder(folder).resolve("model.safetensors");
    fuzz(
        path,
        bytes -> {
          try (Safetensors file = Safetensors.of(TruncationTest.mapping(bytes, path))) {
            Weights weights = new Weights(path);
            file.tensors().forEach((name, tensor) -> weights.put(name, new Weight(path, tensor)));
            readAll(weights);
          }
        });
  }

  private static void readAll(Weights weights) {
    try (Arena arena = Arena.ofConfined()) {
      for (String name : weights.names()) {
        Weight weight = weights.weight(name);
        boolean readable = weight.tensor().type().real() && weight.tensor().shape().size() <= 2;
        if (!readable || weight.tensor().shape().isEmpty() || weight.tensor().count() == 0)
          continue;
        MemorySegment row = arena.allocate(weight.columns() * 4);
        weight.read(0, 1, row);
        weight.read(weight.rows() - 1, weight.rows(), row);
      }
    }
  }

  private static void fuzz(Path path, Consumer<byte[]> read) throws Exception {
    byte[] whole = Files.readAllBytes(path);
    String named = Pattern.quote(path.getParent().toString());
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      long seed = SEED + i;
      byte[] damaged = damaged(whole, RandomGeneratorFactory.of("SplittableRandom").create(seed));
      try {
        read.accept(damaged);
      } catch (ImportException e) {
        refused++;
        // The vocabulary may be what does not fit; it is named then.
        assertThat(e.getMessage()).as("seed %d", seed).matches(named + "/\\S+: .{5,}");
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    // Neither all damage is noticed (numbers may change) nor none.
    assertThat(refused).isBetween(MUTATIONS / 20, MUTATIONS);
  }

  /** Most of the structure lies at the ends of such files: damage is done there more often. */
  private static byte[] damaged(byte[] whole, RandomGenerator random) {
    byte[] bytes = whole.clone();
    int edits = 1 + random.nextInt(4);
    for (int i = 0; i < edits; i++) {
      int range = random.nextBoolean() ? Math.min(bytes.length, 4_096) : bytes.length;
      int at = random.nextInt(range);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt(256);
        case 2 -> bytes[at] = (byte) 0xff;
        case 3 -> {
          int length = Math.min(1 + random.nextInt(16), bytes.length - at);
          System.arraycopy(bytes, random.nextInt(bytes.length - length + 1), bytes, at, length);
        }
        default -> bytes = Arrays.copyOf(bytes, Math.max(1, random.nextInt(bytes.length)));
      }
    }
    return bytes;
  }
}
