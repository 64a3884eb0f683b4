package dev.ridgeline.bench;

import dev.ridgeline.lab.roofline.CeilingsProbe;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.report.roofline.Ceilings.Rate;
import dev.ridgeline.report.roofline.Ceilings.Traffic;
import dev.ridgeline.tensor.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The ceilings that roofline measures beside those of a small C program, in turns: the best that
 * each reached, and the median of the ratios in a turn, which other load makes wide.
 */
public final class CeilingsPeer {
  /** How far apart they may be. */
  private static final double BAR = 0.05;

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
      dram();
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
    for (int i = 0; i < 4; i++) {
      ours.add(new ArrayList<>());
      theirs.add(new ArrayList<>());
    }
    own(threads); // until it is compiled
    for (int round = 0; round < rounds; round++) {
      boolean first = round % 2 == 0;
      double[] a = first ? own(threads) : null;
      double[] b = peer(program, threads);
      if (!first) a = own(threads);
      for (int i = 0; i < 4; i++) {
        ours.get(i).add(a[i]);
        theirs.get(i).add(b[i]);
      }
    }
    System.out.printf(
        "%-22s %9s %9s %9s %9s%n", "10⁹ a second, best", "ours", "C", "ratio", "in pairs");
    String[] names = {"f32, one core", "f32, all cores", "int8, one core", "int8, all cores"};
    for (int i = 0; i < 4; i++) row(names[i], ours.get(i), theirs.get(i));
  }

  private static void row(String name, List<Double> ours, List<Double> theirs) {
    double[] a = ours.stream().mapToDouble(Double::doubleValue).toArray();
    double[] b = theirs.stream().mapToDouble(Double::doubleValue).toArray();
    if (Median.of(b) == 0 || Median.of(a) == 0) {
      System.out.printf("%-22s not on this processor, or in this JVM%n", name);
      return;
    }
    double best = Arrays.stream(a).max().orElseThrow();
    double bestOfC = Arrays.stream(b).max().orElseThrow();
    double[] ratios = new double[a.length];
    for (int i = 0; i < a.length; i++) ratios[i] = a[i] / b[i];
    System.out.printf(
        "%-22s %9.1f %9.1f %9.3f %9.3f   %s%n",
        name,
        best,
        bestOfC,
        best / bestOfC,
        Median.of(ratios),
        Math.abs(best / bestOfC - 1) <= BAR ? "within 5 %" : "NOT within 5 %");
  }

  private static double[] own(int threads) {
    return new double[] {
      own(Arithmetic.F32, 1),
      own(Arithmetic.F32, threads),
      own(Arithmetic.INT8, 1),
      own(Arithmetic.INT8, threads)
    };
  }

  private static double own(Arithmetic kind, int threads) {
    OptionalDouble rate = CeilingsProbe.once(kind, threads);
    return rate.orElse(0) / 1e9;
  }

  private static double[] peer(Path program, int threads) throws Exception {
    Process process = new ProcessBuilder(program.toString(), "" + threads).start();
    String[] words = new String(process.getInputStream().readAllBytes()).strip().split(" ");
    if (process.waitFor() != 0 || words.length != 4) throw new IOException("the C program failed");
    double[] rates = new double[4];
    for (int i = 0; i < 4; i++) rates[i] = Double.parseDouble(words[i]);
    return rates;
  }

  private static void dram() {
    Ceilings roof = CeilingsProbe.measure(Progress.SILENT);
    Ceilings.Memory memory = roof.memory(Level.DRAM).orElseThrow();
    System.out.println();
    dram("DRAM, one core", memory.one());
    dram("DRAM, all cores", memory.all());
  }

  private static void dram(String name, Traffic traffic) {
    System.out.printf(
        "%-22s read %s  write %s  copy %s GB/s%n",
        name, spread(traffic.read()), spread(traffic.write()), spread(traffic.copy()));
  }

  private static String spread(Rate rate) {
    return "%.1f (%.1f–%.1f)".formatted(rate.typical() / 1e9, rate.low() / 1e9, rate.high() / 1e9);
  }
}
