package dev.ridgeline.model.decoder;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.gguf.GgufWriter;
import dev.ridgeline.tensor.quant.FileType;
import dev.ridgeline.tensor.quant.RandomBlocks;
import dev.ridgeline.tensor.quant.Requantizer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * A small decoder whose matrices have a type that is only read: random blocks, since none are made.
 */
final class ReadOnlyModel {
  static final SynthShape SHAPE = SynthShape.LLAMA_TINY;

  /**
   * Blocks are larger than trained weights; with such norms, attention still looks at all tokens.
   */
  private static final float NORM = 0.05f;

  private ReadOnlyModel() {}

  static Path write(TensorType type, Path folder) {
    Path plain = folder.resolve("plain.gguf");
    Path model = folder.resolve(type.word() + ".gguf");
    SynthModel.write(SHAPE, TensorType.F32, SynthModel.SEED, plain, _ -> {});
    try (Gguf file = Gguf.open(plain);
        Arena arena = Arena.ofConfined()) {
      GgufWriter writer = new GgufWriter().putAll(file.metadata());
      var random = new SplittableRandom(type.code());
      for (GgufTensor tensor : file.tensors()) {
        boolean matrix = tensor.rows() > 1;
        long[] shape = tensor.shape().stream().mapToLong(Long::longValue).toArray();
        MemorySegment data = tensor.data();
        if (matrix) {
          data = arena.allocate(type.bytes(tensor.count()), Memory.ALIGNMENT);
          RandomBlocks.fill(type, data.address(), data.byteSize(), random);
        } else if (tensor.name().startsWith("blk.")) {
          data = arena.allocate(data.byteSize(), Memory.ALIGNMENT);
          for (long i = 0; i < tensor.count(); i++) data.setAtIndex(JAVA_FLOAT, i, NORM);
        }
        TensorType own = matrix ? type : tensor.type();
        writer.tensor(tensor.name(), own, shape, GgufWriter.Source.of(data));
      }
      writer.write(model);
    }
    return model;
  }

  /** The same numbers as f32. */
  static Path dequantized(Path model) {
    Path plain = model.resolveSibling("dequantized.gguf");
    try (Gguf file = Gguf.open(model)) {
      Requantizer.quantize(file, FileType.F32, plain, Workers.of(1), _ -> {});
    }
    return plain;
  }
}
