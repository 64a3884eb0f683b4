package dev.ridgeline.cli.kernels;

import dev.ridgeline.cli.generate.Generate;
import dev.ridgeline.cli.kernels.Catalogue.Recipe;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.workload.Fingerprint;
import dev.ridgeline.cli.workload.Workload;
import dev.ridgeline.cli.workload.WorkloadKind;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.tensor.Device;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The door of this package: the workload that the options ask for. */
public final class Kernels {
  private static final Setting<Boolean> STANDARD =
      mode(
          Mode.STANDARD,
          "Kernels in their usual sizes and a medium model; what runs when no mode is given.");
  private static final Setting<Boolean> DEEP =
      mode(Mode.DEEP, "More sizes, gradients, and a medium model.");
  private static final Setting<Boolean> ENHANCED =
      mode(Mode.ENHANCED, "Every operation in every size, a small and a medium model.");
  private static final Setting<Boolean> ALLOCATION =
      mode(Mode.ALLOCATION, "Operations that allocate, next to the same ones that reuse memory.");
  private static final Setting<String> FILTER =
      Setting.text("--filter NAMES", "Only kernels and models with one of these in their names.");
  private static final Setting<String> BUDGET =
      Setting.text(
          "--budget SECONDS",
          "About how long to run (default: 10; deep 20, enhanced 24, allocation 2).");
  private static final Setting<Long> SEED =
      Setting.number("--seed N", 42L, "Seed of the input data.");

  /** The part of the budget that warming a model up may take beyond it: it ends once steady. */
  private static final double MODELS_WARM_UP = 1;

  public static final WorkloadKind KIND =
      new WorkloadKind(
          "kernels",
          "",
          "Runs each operation alone, and small models: a first look at this machine.",
          List.of(
              STANDARD,
              DEEP,
              ENHANCED,
              ALLOCATION,
              FILTER,
              BUDGET,
              ModelOptions.WORKERS,
              SEED,
              ModelOptions.CACHE,
              ModelOptions.HUB),
          BUDGET.name(),
          List.of(),
          Kernels::from);

  private Kernels() {}

  /**
   * The gradients of the product that SmallMind's profiler of allocations has: {@code C = A·B}, A
   * of 128×256 and B of 256×128.
   */
  public static Kernel matmulBackward(int workers, long seed) {
    return matmulBackward(new Room(Device.cpu(workers), "matmul backward", seed));
  }

  static Kernel matmulBackward(Room room) {
    return Backward.matmul(room, 128, 256, 128);
  }

  private static Setting<Boolean> mode(Mode mode, String description) {
    return Setting.flag("--" + mode.label(), description);
  }

  private static Workload from(Settings settings, List<String> words, Progress progress) {
    if (!words.isEmpty()) throw new Problem("unexpected argument '" + words.getFirst() + "'");
    Mode mode = mode(settings);
    Duration budget = budget(mode, settings);
    long seed = settings.read(SEED);
    if (mode == Mode.ALLOCATION) return new AllocationStudy(budget, seed);
    int workers = ModelOptions.workers(settings);
    String given = settings.read(FILTER);
    String filter = given == null ? "" : given;
    List<String> models =
        mode.models.stream().filter(model -> matches(scope(model), filter)).toList();
    List<Workload> parts = new ArrayList<>();
    boolean only = !models.isEmpty() && matching(mode, filter).isEmpty();
    if (!only) parts.add(of(mode, filter, workers, budget, seed));
    double warmUp = MODELS_WARM_UP * budget.toNanos() / 1e9;
    for (String model : models) {
      String name = ModelName.SYNTH + model;
      Path file = ModelOptions.file(settings, name, progress);
      parts.add(Generate.inferences(scope(model), name, file, workers, seed, warmUp));
    }
    if (parts.size() == 1 && !only) return parts.getFirst();
    return new Together(mode.workload(), parts);
  }

  private static String scope(String model) {
    return model + " model";
  }

  private static List<Recipe> matching(Mode mode, String filter) {
    return mode.kernels().stream().filter(recipe -> matches(recipe.name(), filter)).toList();
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
    if (given == null) return Duration.ofSeconds(mode.seconds);
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
  static Workload of(Mode mode, String filter, int workers, Duration budget, long seed) {
    List<Recipe> chosen = matching(mode, filter);
    if (chosen.isEmpty()) {
      String names = String.join(", ", mode.kernels().stream().map(Recipe::name).toList());
      throw new Problem("no kernel matches '" + filter + "'; " + mode.label() + " has " + names);
    }
    Device device = Device.cpu(workers);
    List<Kernel> kernels = chosen.stream().map(recipe -> recipe.make(device, seed)).toList();
    return new KernelsWorkload(mode, kernels, budget, seed);
  }

  private static boolean matches(String name, String filter) {
    if (filter.isBlank()) return true;
    String lower = name.toLowerCase(Locale.ROOT);
    for (String part : filter.toLowerCase(Locale.ROOT).split(",")) {
      if (!part.isBlank() && lower.contains(part.strip())) return true;
    }
    return false;
  }

  /** A fingerprint of what kernels computed: equal when every bit is. */
  public static String digest(List<Kernel> kernels) {
    Fingerprint print = new Fingerprint();
    for (Kernel kernel : kernels) {
      print.add(kernel.name());
      kernel.addTo(print);
    }
    return print.digest();
  }
}
