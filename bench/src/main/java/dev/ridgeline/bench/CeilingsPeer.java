package dev.ridgeline.bench;

import dev.ridgeline.lab.roofline.CeilingsProbe;
import dev.ridgeline.lab.roofline.CeilingsProbe.MemoryStream;
import dev.ridgeline.lab.roofline.Flow;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.tensor.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The ceilings that roofline measures compared with those of a small C program, in turns: medians,
 * the median of the ratios in a turn, and the best that each reached.
 */
public final class CeilingsPeer {
  /** How far apart they may be. */
  private static final double BAR = 0.05;

  /** In the order in which the C program prints them. */
  private static final List<String> NAMES =
      List.of(
          "f32, one core",
          "f32, all cores",
          "int8, one core",
          "int8, all cores",
          "DRAM read, one core",
          "DRAM read, all cores",
          "DRAM write, one core",
          "DRAM write, all cores",
          "DRAM copy, one core",
          "DRAM copy, all cores");

  private CeilingsPeer() {}

  /** The C source, then how many rounds. */
  public static void main(String[] args) throws Exception {
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 9;
    int threads = Workers.cpus();
    Path folder = Files.createTempDirectory("ceilings");
    Path program = folder.resolve("ceilings");
    try {
      if (!compiled(Path.of(args[0]), program)) return;
      compare(program, rounds, threads);
    } finally {
      Files.deleteIfExists(program);
      Files.delete(folder);
    }
  }

  private static boolean compiled(Path source, Path program)
      throws IOException, InterruptedException {
    List<String> command =
        List.of("gcc", "-O2", "-march=native", "-pthread", source.toString(), "-o", "" + program);
    try {
      if (new ProcessBuilder(command).inheritIO().start().waitFor() == 0) return true;
      System.out.println("ceilings: skipped, gcc does not compile " + source);
    } catch (IOException _) {
      System.out.println("ceilings: skipped, there is no gcc");
    }
    return false;
  }

  private static void compare(Path program, int rounds, int threads) throws Exception {
    List<List<Double>> ours = new ArrayList<>();
    List<List<Double>> theirs = new ArrayList<>();
    for (int i = 0; i < NAMES.size(); i++) {
      ours.add(new ArrayList<>());
      theirs.add(new ArrayList<>());
    }
    own(threads); // until it is compiled
    for (int round = 0; round < rounds; round++) {
      boolean first = round % 2 == 0;
      double[] a = first ? own(threads) : null;
      double[] b = peer(program, threads);
      if (!first) a = own(threads);
      for (int i = 0; i < a.length; i++) {
        ours.get(i).add(a[i]);
        theirs.get(i).add(b[i]);
      }
    }
    System.out.printf(
        "%-24s %9s %9s %9s %9s %9s %9s%n",
        "10⁹ a second", "ours", "C", "ratio", "in pairs", "best", "C's best");
    for (int i = 0; i < NAMES.size(); i++) row(NAMES.get(i), ours.get(i), theirs.get(i));
  }

  private static void row(String name, List<Double> ours, List<Double> theirs) {
    double[] a = ours.stream().mapToDouble(Double::doubleValue).toArray();
    double[] b = theirs.stream().mapToDouble(Double::doubleValue).toArray();
    if (Median.of(b) == 0 || Median.of(a) == 0) {
      System.out.printf("%-22s not on this processor, or in this JVM%n", name);
      return;
    }
    double[] ratios = new double[a.length];
    for (int i = 0; i < a.length; i++) ratios[i] = a[i] / b[i];
    double typical = Median.of(a);
    double typicalOfC = Median.of(b);
    double inPairs = Median.of(ratios);
    System.out.printf(
        "%-24s %9.1f %9.1f %9.3f %9.3f %9.1f %9.1f   %s%n",
        name,
        typical,
        typicalOfC,
        typical / typicalOfC,
        inPairs,
        Arrays.stream(a).max().orElseThrow(),
        Arrays.stream(b).max().orElseThrow(),
        inPairs >= 1 - BAR ? "" : "NOT within 5 %");
  }

  private static double[] own(int threads) {
    double[] rates = new double[NAMES.size()];
    for (int i = 0; i < rates.length; i++) {
      int cores = i % 2 == 0 ? 1 : threads;
      rates[i] =
          switch (i / 2) {
            case 0 -> own(Arithmetic.F32, cores);
            case 1 -> own(Arithmetic.INT8, cores);
            default -> own(Flow.values()[i / 2 - 2], cores);
          };
    }
    return rates;
  }

  private static double own(Flow flow, int threads) {
    try (var memory = new MemoryStream(flow, threads)) {
      return memory.once() / 1e9;
    }
  }

  private static double own(Arithmetic kind, int threads) {
    OptionalDouble rate = CeilingsProbe.once(kind, threads);
    return rate.orElse(0) / 1e9;
  }

  private static double[] peer(Path program, int threads) throws Exception {
    Process process = new ProcessBuilder(program.toString(), "" + threads).start();
    String[] words = new String(process.getInputStream().readAllBytes()).strip().split(" ");
    if (process.waitFor() != 0 || words.length != NAMES.size())
      throw new IOException("the C program failed");
    double[] rates = new double[words.length];
    for (int i = 0; i < words.length; i++) rates[i] = Double.parseDouble(words[i]);
    return rates;
  }
}
