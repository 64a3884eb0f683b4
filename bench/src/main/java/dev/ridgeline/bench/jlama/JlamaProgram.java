package dev.ridgeline.bench.jlama;

import com.github.tjake.jlama.model.AbstractModel;
import com.github.tjake.jlama.model.ModelSupport;
import com.github.tjake.jlama.safetensors.DType;
import com.github.tjake.jlama.tensor.AbstractTensor;
import com.github.tjake.jlama.tensor.KvBufferCache;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Decodes with Jlama for some seconds, after as many of warming up, and prints tokens per second.
 * Arguments: a folder for the made-up model, seconds. It knows nothing of the profiler.
 */
public final class JlamaProgram {
  private static final int CONTEXT = 128;

  private JlamaProgram() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    if (!Files.exists(folder.resolve("config.json"))) RandomModel.write(folder);
    double seconds = Double.parseDouble(args[1]);
    AbstractModel model = ModelSupport.loadModel(folder.toFile(), DType.F32, DType.F32);
    try (KvBufferCache buffers = new KvBufferCache(model)) {
      tokensPerSecond(model, buffers, seconds);
      System.out.println(tokensPerSecond(model, buffers, seconds));
    }
    System.exit(0); // its threads live on
  }

  private static double tokensPerSecond(
      AbstractModel model, KvBufferCache buffers, double seconds) {
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    long tokens = 0;
    long now;
    do {
      try (var buffer = buffers.getEphemeralKvBuffer()) {
        int token = 1;
        for (int position = 0; position < CONTEXT; position++) {
          token = next(model, token, position, buffer);
          tokens++;
        }
      }
      now = System.nanoTime();
    } while (now < end);
    return tokens / ((now - start) / 1e9);
  }

  private static int next(
      AbstractModel model, int token, int position, KvBufferCache.KvBuffer buffer) {
    try (AbstractTensor output = model.forward(token, position, buffer, Optional.empty())) {
      float[] logits = model.getLogits(output);
      int best = 0;
      for (int i = 1; i < logits.length; i++) if (logits[i] > logits[best]) best = i;
      return best;
    }
  }
}
