package dev.ridgeline.bench;

import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.model.generate.Listener;
import dev.ridgeline.model.generate.Observer;
import dev.ridgeline.model.generate.Sampling;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.Models;
import dev.ridgeline.model.store.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * One sequence and eight that decode together, in turns: how much faster eight are for sharing
 * every weight that is read, and what it takes in memory.
 */
public final class BatchedDecode {
  private static final int SEQUENCES = 8;
  private static final int PROMPT = 32;

  private BatchedDecode() {}

  public static void main(String[] args) throws IOException {
    String model = args.length > 0 ? args[0] : "synth:tinyllama-1.1b:q8_0";
    int tokens = args.length > 1 ? Integer.parseInt(args[1]) : 32;
    int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 5;
    Path file = Models.here().resolve(ModelName.of(model), Progress.SILENT);
    GeneratorOptions options =
        GeneratorOptions.DEFAULT.withSequences(SEQUENCES).withContext(PROMPT + tokens);
    try (Generator generator = Generator.open(file, options)) {
      Clock clock = new Clock();
      generator.observe(clock);
      System.out.println(model + " · " + generator.plan());
      double[] ratios = new double[rounds];
      for (int round = 0; round < rounds; round++) {
        double one = rate(generator, clock, 1, tokens);
        double eight = rate(generator, clock, SEQUENCES, tokens);
        ratios[round] = eight / one;
        System.out.printf(
            "decode: 1 sequence %.2f tokens/s, %d sequences %.2f tokens/s: %.2f times%n",
            one, SEQUENCES, eight, ratios[round]);
      }
      Arrays.sort(ratios);
      System.out.printf(
          "median %.2f times (%.2f to %.2f)%n", ratios[rounds / 2], ratios[0], ratios[rounds - 1]);
      long megabyte = 1 << 20;
      System.out.printf(
          "peak RSS %d MiB = file %d + kv cache %d + %d%n",
          peak() / megabyte,
          Files.size(file) / megabyte,
          generator.cacheBytes() / megabyte,
          (peak() - Files.size(file) - generator.cacheBytes()) / megabyte);
    }
  }

  private static double rate(Generator generator, Clock clock, int sequences, int tokens) {
    SplittableRandom random = new SplittableRandom(1);
    int[][] prompts = new int[sequences][];
    for (int i = 0; i < sequences; i++) prompts[i] = random.ints(PROMPT, 300, 500).toArray();
    generator.forget();
    clock.clear();
    generator.generate(prompts, Sampling.GREEDY.withMaxTokens(tokens), Listener.DEAF);
    return clock.rate();
  }

  /** Tokens and time of passes that decode. */
  private static final class Clock implements Observer {
    private long tokens;
    private long nanos;

    void clear() {
      tokens = 0;
      nanos = 0;
    }

    double rate() {
      return tokens * 1e9 / nanos;
    }

    @Override
    public void passed(boolean prefill, int sequences, int rows, int position, long took) {
      if (prefill) return;
      tokens += sequences;
      nanos += took;
    }
  }

  /** What the process had in memory at most, in bytes. */
  private static long peak() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
    }
    return 0;
  }
}
