package dev.ridgeline.model.imports;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damaged files are refused with path and reason, or read; nothing else ever happens. */
@Execution(CONCURRENT)
class ImportFuzzTest {
  private static final int MUTATIONS = 30_000;
  private static final int FEW = 2_000;
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
            readAll(new OnnxEncoder(file).weights());
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
            SourceWeights weights = new SourceWeights(path);
            file.tensors().forEach((name, tensor) -> weights.put(name, new Weight(path, tensor)));
            readAll(weights);
            long data =
                file.tensors().values().stream().mapToLong(each -> each.data().byteSize()).sum();
            // No byte twice and none left out: the header is all there is besides.
            assertThat(8 + ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN).getLong() + data)
                .isEqualTo(bytes.length);
          }
        });
  }

  @Test
  void damagedCheckpointsOfLlama2cAreRefusedOrRead() throws Exception {
    Path path = writeLlama2c();
    fuzz(
        path,
        FEW,
        bytes -> {
          Mapping file = TruncationTest.mapping(bytes, path);
          try (ModelImport model = Llama2cModel.of(file, ModelImport.Options.NONE)) {
            assertThat(model.architecture().slots()).isNotEmpty();
          }
        });
  }

  @Test
  void damagedTokenizersOfLlama2cAreRefusedOrRead() throws Exception {
    Path path = writeLlama2c().resolveSibling("tokenizer.bin");
    fuzz(path, FEW, bytes -> Llama2cTokenizer.read(path, bytes, 512));
  }

  private Path writeLlama2c() throws Exception {
    Path gguf = folder.resolve("small.gguf");
    SynthModel.write(SynthShape.LLAMA2C_TINY, TensorType.F32, SynthModel.SEED, gguf, _ -> {});
    try (Gguf file = Gguf.open(gguf)) {
      DecoderShape shape = (DecoderShape) SynthShape.LLAMA2C_TINY.architecture();
      Files.write(folder.resolve("tokenizer.bin"), Llama2cFiles.tokenizer(file, true));
      return Files.write(folder.resolve("m.bin"), Llama2cFiles.checkpoint(shape, file));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"config.json", "tokenizer_config.json", "tokenizer.model"})
  void damagedFilesBesideTheWeightsAreRefusedOrRead(String name) throws Exception {
    Path path = new HuggingFaceModel(SynthShape.GEMMA3_TINY, folder).write().resolve(name);
    fuzz(
        path,
        FEW / 4,
        bytes -> {
          try {
            Files.write(path, bytes);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          try (ModelImport model = ModelImport.open(folder, ModelImport.Options.NONE)) {
            assertThat(model.architecture().slots()).isNotEmpty();
          }
        });
  }

  private static void readAll(SourceWeights weights) {
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
    fuzz(path, MUTATIONS, read);
  }

  private static void fuzz(Path path, int mutations, Consumer<byte[]> read) throws Exception {
    byte[] whole = Files.readAllBytes(path);
    String named = Pattern.quote(path.getParent().toString());
    int refused = 0;
    for (int i = 0; i < mutations; i++) {
      long seed = SEED + i;
      byte[] damaged = damaged(whole, RandomGeneratorFactory.of("SplittableRandom").create(seed));
      try {
        read.accept(damaged);
      } catch (ImportException e) {
        refused++;
        // The vocabulary may be what does not fit; it is named then.
        assertThat(e.getMessage()).as("seed %d", seed).matches(named + "(/\\S+)?: .{5,}");
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    // Neither all damage is noticed (numbers may change) nor none.
    assertThat(refused).isBetween(mutations / 20, mutations);
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
