package dev.ridgeline.cli;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.GgufWriter;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Random;

/** A model file that commands can be tried on; nothing runs it. */
final class SmallModel {
  private SmallModel() {}

  static Path write(Path path) {
    new GgufWriter()
        .put("general.architecture", "bert")
        .put("general.name", "small\u001b[31m")
        .put("general.file_type", 0)
        .put("bert.block_count", 1)
        .put("tokenizer.ggml.tokens", Collections.nCopies(300, "token"))
        .tensor("token_embd.weight", TensorType.F32, new long[] {256, 300}, random(256 * 300))
        .tensor("token_embd_norm.weight", TensorType.F32, new long[] {256}, random(256))
        .tensor("blk.0.attn_q.weight", TensorType.F32, new long[] {256, 256}, random(256 * 256))
        .write(path);
    return path;
  }

  private static GgufWriter.Source random(int count) {
    Random random = new Random(count);
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) numbers[i] = (float) random.nextGaussian();
    return GgufWriter.Source.of(MemorySegment.ofArray(numbers));
  }
}
