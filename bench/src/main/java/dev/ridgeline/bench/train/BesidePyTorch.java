package dev.ridgeline.bench.train;

import dev.ridgeline.bench.Options;
import dev.ridgeline.bench.Options.BadUsage;
import dev.ridgeline.bench.Results;
import dev.ridgeline.lab.stats.Median;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.core.JsonGenerator;

/**
 * Training here and by PyTorch on the CPU, both in f32: a fresh process for each, in turns, so that
 * a bad minute of the machine hits both.
 */
public final class BesidePyTorch {
  private static final int ROUNDS = 3;

  /** Of a process: enough that the later half of its steps is as fast as it gets. */
  private static final double SECONDS = 16;

  private static final double QUICK_SECONDS = 1;

  private final Path script;
  private final String python;
  private final Options options;
  private final List<Size> sizes = new ArrayList<>();
  private final TreeSet<Integer> threads = new TreeSet<>();

  /** Tokens a second of each round. */
  private record Contest(Size size, int threads, double[] ours, double[] theirs) {
    double[] ratios() {
      double[] ratios = new double[ours.length];
      for (int i = 0; i < ratios.length; i++) ratios[i] = ours[i] / theirs[i];
      return ratios;
    }

    String told() {
      double[] ratios = ratios();
      double ratio = Median.of(ratios);
      return "%-8s %7d %14.0f %14.0f   %.2f × (%.2f–%.2f)  ≥ %.1f %s"
          .formatted(
              size.name(),
              threads,
              Median.of(ours),
              Median.of(theirs),
              ratio,
              Arrays.stream(ratios).min().orElseThrow(),
              Arrays.stream(ratios).max().orElseThrow(),
              size.bar(),
              ratio >= size.bar() ? "reached" : "MISSED");
    }

    void write(JsonGenerator json) {
      json.writeStartObject();
      json.writeStringProperty("size", size.name());
      json.writeNumberProperty("threads", threads);
      json.writeNumberProperty("ratio", Median.of(ratios()));
      json.writeNumberProperty("bar", size.bar());
      Results.array("ours", ours, json);
      Results.array("pytorch", theirs, json);
      json.writeEndObject();
    }
  }

  private BesidePyTorch(Path script, Options options) {
    this.script = script;
    this.options = options;
    this.python = System.getenv().getOrDefault("PYTHON", "python3");
    for (String word : options.rest()) {
      Size size = Size.named(word);
      if (size != null) sizes.add(size);
      else if (word.matches("[1-9]\\d{0,2}")) threads.add(Integer.parseInt(word));
      else throw new BadUsage(word + ": say small, medium or gpt2, or a number of threads");
    }
    if (sizes.isEmpty()) sizes.addAll(List.of(Size.ALL));
    if (threads.isEmpty()) {
      threads.addAll(List.of(1, 2, Runtime.getRuntime().availableProcessors()));
    }
  }

  /** The peer's program; then options, sizes and numbers of threads. */
  public static void main(String[] args) {
    Options.run(
        "train",
        () -> {
          Options options = Options.of(Arrays.copyOfRange(args, 1, args.length), ROUNDS);
          new BesidePyTorch(Path.of(args[0]), options).run();
        });
  }

  private void run() {
    String version = version();
    List<Contest> contests = new ArrayList<>();
    for (Size size : sizes) {
      for (int each : threads) {
        int rounds = options.rounds();
        contests.add(new Contest(size, each, new double[rounds], new double[rounds]));
      }
    }
    for (int round = 0; round < options.rounds(); round++) {
      for (Contest contest : contests) {
        contest.ours[round] = ours(contest);
        contest.theirs[round] = theirs(contest);
        System.err.printf(
            "round %d of %d: %s, %d threads, %.0f beside %.0f tokens/s%n",
            round + 1,
            options.rounds(),
            contest.size.name(),
            contest.threads,
            contest.ours[round],
            contest.theirs[round]);
      }
    }
    String heading = Results.heading(options, "PyTorch " + version);
    System.out.println(heading);
    System.out.printf("%-8s %7s %14s %14s%n", "size", "threads", "ours tokens/s", "PyTorch");
    for (Contest contest : contests) System.out.println(contest.told());
    Results.write(options, heading, "contests", json -> contests.forEach(each -> each.write(json)));
  }

  private String version() {
    try {
      return output(List.of(python, "-c", "import torch; print(torch.__version__)"), Map.of());
    } catch (BadUsage e) {
      throw new BadUsage(
          python + " has no PyTorch: pip install torch, or name another by PYTHON=…");
    }
  }

  /** The same JVM with the same flags. */
  private double ours(Contest contest) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(
        List.of(
            OurSteps.class.getName(), contest.size.name(), "" + contest.threads, "" + seconds()));
    return number(command, Map.of());
  }

  private double theirs(Contest contest) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(python, script.toString(), "" + contest.threads, "" + seconds()));
    command.addAll(List.of(contest.size.words()));
    return number(command, Map.of("OMP_NUM_THREADS", "" + contest.threads));
  }

  private double seconds() {
    return options.quick() ? QUICK_SECONDS : SECONDS;
  }

  private static double number(List<String> command, Map<String, String> environment) {
    String said = output(command, environment);
    try {
      return Double.parseDouble(said);
    } catch (NumberFormatException e) {
      throw new BadUsage(String.join(" ", command) + " said '" + said + "', no number");
    }
  }

  /** What a program says, which must end well. */
  private static String output(List<String> command, Map<String, String> environment) {
    try {
      var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
      builder.environment().putAll(environment);
      Process process = builder.start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() == 0) return said.strip();
    } catch (IOException e) {
      // Told below: there is no such program.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new BadUsage(String.join(" ", command) + " failed");
  }
}
