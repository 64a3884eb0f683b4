package dev.ridgeline.bench.shapes;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Random shapes in every tier that this CPU has, a JVM for each. */
public final class RandomShapes {
  private static final int LOOK_SECONDS = 10;

  private RandomShapes() {}

  /** How many shapes, and the seed of the first; the next one has the next. */
  public static void main(String[] args) throws IOException, InterruptedException {
    boolean right = args.length <= 2;
    for (String arg : args) right &= arg.matches("\\d{1,15}");
    if (!right) {
      System.err.println("shapes: say how many, and the seed of the first");
      System.exit(2);
    }
    String obstacle = AssembledKernels.obstacle(CpuFeatures.here());
    if (obstacle != null) {
      System.err.println("shapes: nothing is assembled here: " + obstacle);
      System.exit(2);
    }
    long count = args.length > 0 ? Long.parseLong(args[0]) : 10_000;
    long seed = args.length > 1 ? Long.parseLong(args[1]) : System.nanoTime() & 0xFFFF_FFFFL;
    Tier best = Tier.of(CpuFeatures.here());
    for (Tier tier : Tier.values()) {
      if (tier.compareTo(best) <= 0 && !run(tier, count, seed)) System.exit(1);
    }
  }

  /** Whether all were right. */
  private static boolean run(Tier tier, long count, long seed)
      throws IOException, InterruptedException {
    Path on = Files.createTempFile("shapes", ".seed");
    try {
      Files.write(on, new byte[Long.BYTES]);
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
      command.addAll(List.of("-Dridgeline.tier=" + tier.word(), "-XX:-CreateCoredumpOnCrash"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(ShapesOfTier.class.getName(), "" + count, "" + seed, on.toString()));
      long begin = System.nanoTime();
      Process process = new ProcessBuilder(command).inheritIO().start();
      while (!process.waitFor(LOOK_SECONDS, TimeUnit.SECONDS)) {
        long done = Math.max(0, reached(on) - seed);
        System.err.printf(
            "%s: %,d of %,d, %,.0f a second%n",
            tier.word(), done, count, done / ((System.nanoTime() - begin) / 1e9));
      }
      boolean right = process.exitValue() == 0;
      System.out.printf(
          "%s: %,d shapes from seed %d, %s, %d s%n",
          tier.word(),
          right ? count : reached(on) - seed + 1,
          seed,
          right ? "all right" : "the last is wrong or ended the JVM",
          Duration.ofNanos(System.nanoTime() - begin).toSeconds());
      if (!right) System.out.println("Again: bench/run shapes 1 " + reached(on));
      return right;
    } finally {
      Files.deleteIfExists(on);
    }
  }

  private static long reached(Path on) throws IOException {
    return MemorySegment.ofArray(Files.readAllBytes(on)).get(JAVA_LONG.withByteAlignment(1), 0);
  }
}
