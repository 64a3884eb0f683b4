package dev.ridgeline.cli.kernels;

import dev.ridgeline.cli.Problem;
import dev.ridgeline.cli.Setting;
import dev.ridgeline.cli.Settings;
import dev.ridgeline.cli.generate.Generate;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.profile.Progress;
import dev.ridgeline.cli.profile.Workload;
import dev.ridgeline.cli.profile.WorkloadKind;
import dev.ridgeline.model.store.ModelName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The door of this package: the workload that the options ask for. */
public final class Kernels {
  private static final Setting<Boolean> STANDARD =
      mode(Mode.STANDARD, "Kernels in their usual sizes; what runs when no mode is given.");
  private static final Setting<Boolean> DEEP =
      mode(
          Mode.DEEP,
          "More sizes, scopes inside (panels of matmul, passes of softmax), and a medium model.");
  private static final Setting<Boolean> ENHANCED =
      mode(
          Mode.ENHANCED,
          "Every kernel and tensor operation in every size, a small and a medium model.");
  private static final Setting<Boolean> ALLOCATION =
      mode(Mode.ALLOCATION, "Operations that allocate, next to the same ones that reuse memory.");
  private static final Setting<String> FILTER =
      Setting.text(
          "--filter", "NAMES", null, "Only kernels and models with one of these in their names.");
  private static final Setting<String> BUDGET =
      Setting.text(
          "--budget",
          "SECONDS",
          null,
          "About how long to run (default: 10; deep 20, enhanced 24, allocation 2).");
  private static final Setting<Integer> THREADS =
      Setting.number(
          "--threads",
          "N",
          Runtime.getRuntime().availableProcessors(),
          "Threads of the parallel kernel.");
  private static final Setting<Long> SEED =
      new Setting<>("--seed", Long.class, "N", "42", null, "Seed of the input data.");

  /** The share of the budget that warming a model up may take, beyond it. */
  private static final double MODELS_WARM_UP = 0.5;

  /** More threads than any machine has; what is asked for beyond is a slip of the finger. */
  private static final int MOST_THREADS = 512;

  public static final WorkloadKind KIND =
      new WorkloadKind(
          "kernels",
          "",
          "Runs kernels in plain Java: a first look at this machine.",
          List.of(
              STANDARD,
              DEEP,
              ENHANCED,
              ALLOCATION,
              FILTER,
              BUDGET,
              THREADS,
              SEED,
              ModelOptions.CACHE,
              ModelOptions.HUB),
          BUDGET.name(),
          List.of(),
          Kernels::from);

  private Kernels() {}

  private static Setting<Boolean> mode(Mode mode, String description) {
    return Setting.flag("--" + mode.label(), description);
  }

  private static Workload from(Settings settings, List<String> words, Progress progress) {
    if (!words.isEmpty()) throw new Problem("unexpected argument '" + words.getFirst() + "'");
    Mode mode = mode(settings);
    Duration budget = budget(mode, settings);
    long seed = settings.read(SEED);
    if (mode == Mode.ALLOCATION) return new AllocationStudy(budget, seed);
    int threads = settings.read(THREADS);
    if (threads < 1 || threads > MOST_THREADS) {
      throw new Problem("--threads " + threads + ": 1 to " + MOST_THREADS);
    }
    String given = settings.read(FILTER);
    String filter = given == null ? "" : given;
    List<String> models =
        mode.models().stream().filter(model -> matches(scope(model), filter)).toList();
    List<Workload> parts = new ArrayList<>();
    boolean only = !models.isEmpty() && matching(mode, filter, threads, seed).isEmpty();
    if (!only) parts.add(of(mode, filter, threads, budget, seed));
    double warmUp = MODELS_WARM_UP * budget.toNanos() / 1e9;
    for (String model : models) {
      String name = ModelName.SYNTH + model;
      Path file = ModelOptions.file(settings, name, progress);
      parts.add(Generate.inferences(scope(model), name, file, threads, seed, warmUp));
    }
    if (parts.size() == 1 && !only) return parts.getFirst();
    return new Together("kernels-" + mode.label(), parts);
  }

  private static String scope(String model) {
    return model + " model";
  }

  private static List<String> matching(Mode mode, String filter, int threads, long seed) {
    List<Kernel> all = mode.kernels(seed, threads);
    all.forEach(Kernel::close);
    return all.stream().map(Kernel::name).filter(name -> matches(name, filter)).toList();
  }

  private static Mode mode(Settings settings) {
    List<Setting<Boolean>> flags = List.of(STANDARD, DEEP, ENHANCED, ALLOCATION);
    List<String> given = flags.stream().filter(settings::read).map(Setting::name).toList();
    if (given.size() > 1) throw new Problem("one mode at a time: " + String.join(" or ", given));
    return Arrays.stream(Mode.values())
        .filter(mode -> given.contains("--" + mode.label()))
        .findFirst()
        .orElse(Mode.STANDARD);
  }

  private static Duration budget(Mode mode, Settings settings) {
    String given = settings.read(BUDGET);
    if (given == null) return Duration.ofSeconds(mode.seconds());
    // Java would take 1d, 0x1p3 and NaN for numbers.
    double seconds = given.matches("\\d+(\\.\\d*)?|\\.\\d+") ? Double.parseDouble(given) : 0;
    if (!(seconds > 0 && seconds <= 86_400)) {
      throw new Problem("--budget " + given + ": more than 0 seconds, at most a day");
    }
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  /**
   * The kernels of a mode, or those of them that are asked for.
   *
   * @param filter parts of names, separated by commas; empty for all
   */
  static Workload of(Mode mode, String filter, int threads, Duration budget, long seed) {
    List<Kernel> all = mode.kernels(seed, threads);
    List<Kernel> chosen = all.stream().filter(kernel -> matches(kernel.name(), filter)).toList();
    for (Kernel kernel : all) if (!chosen.contains(kernel)) kernel.close();
    if (chosen.isEmpty()) {
      String names = String.join(", ", all.stream().map(Kernel::name).toList());
      throw new Problem("no kernel matches '" + filter + "'; " + mode.label() + " has " + names);
    }
    return new KernelsWorkload(mode, chosen, budget, seed);
  }

  private static boolean matches(String name, String filter) {
    if (filter.isBlank()) return true;
    String lower = name.toLowerCase(Locale.ROOT);
    for (String part : filter.toLowerCase(Locale.ROOT).split(",")) {
      if (!part.isBlank() && lower.contains(part.strip())) return true;
    }
    return false;
  }
}
