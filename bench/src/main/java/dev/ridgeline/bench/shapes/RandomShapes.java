package dev.ridgeline.bench.shapes;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Random shapes in every tier that this CPU has, or in some of them, a JVM for each.
 *
 * <p>Needs nothing but a JRE with the Vector API and the jars: {@code java -cp …
 * dev.ridgeline.bench.shapes.RandomShapes 1000000 1}.
 */
public final class RandomShapes {
  private static final int LOOK_SECONDS = 10;

  /** What a JVM of our kernels needs. */
  private static final List<String> FLAGS =
      List.of(
          "--add-modules",
          "jdk.incubator.vector",
          "--enable-native-access=ALL-UNNAMED",
          "-XX:+UseSerialGC",
          "-XX:-CreateCoredumpOnCrash",
          // Of the module that is not final yet.
          "-Xlog:disable",
          "-Xlog:all=error:stderr");

  private RandomShapes() {}

  /** How many shapes, the seed of the first (the next one has the next), and tiers, else all. */
  public static void main(String[] args) throws IOException, InterruptedException {
    boolean right = true;
    for (int i = 0; i < Math.min(2, args.length); i++) right &= args[i].matches("\\d{1,15}");
    if (!right) {
      System.err.println("shapes: say how many, the seed of the first, and tiers");
      System.exit(2);
    }
    String obstacle = AssembledKernels.obstacle(CpuFeatures.here());
    if (obstacle != null) {
      System.err.println("shapes: nothing is assembled here: " + obstacle);
      System.exit(2);
    }
    long count = args.length > 0 ? Long.parseLong(args[0]) : 10_000;
    long seed = args.length > 1 ? Long.parseLong(args[1]) : System.nanoTime() & 0xFFFF_FFFFL;
    for (Tier tier : tiers(args)) if (!run(tier, count, seed)) System.exit(1);
  }

  private static List<Tier> tiers(String[] args) {
    List<Tier> here = Tier.allOf(CpuFeatures.here());
    if (args.length <= 2) return here;
    List<String> asked = List.of(args).subList(2, args.length);
    List<String> words = here.stream().map(Tier::word).toList();
    for (String word : asked) {
      if (words.contains(word)) continue;
      System.err.println(
          "shapes: no tier '%s' here; there are %s".formatted(word, String.join(", ", words)));
      System.exit(2);
    }
    return here.stream().filter(tier -> asked.contains(tier.word())).toList();
  }

  /** Whether all were right. */
  private static boolean run(Tier tier, long count, long seed)
      throws IOException, InterruptedException {
    Path on = Files.createTempFile("shapes", ".seed");
    try {
      Files.write(on, new byte[Long.BYTES]);
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(FLAGS);
      command.add("-D%s=%s".formatted(AssembledKernels.TIER_PROPERTY, tier.word()));
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
      if (!right)
        System.out.println("Again: bench/run shapes 1 %d %s".formatted(reached(on), tier.word()));
      return right;
    } finally {
      Files.deleteIfExists(on);
    }
  }

  private static long reached(Path on) throws IOException {
    return MemorySegment.ofArray(Files.readAllBytes(on)).get(JAVA_LONG.withByteAlignment(1), 0);
  }
}
