package dev.ridgeline.cli.workload;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Compute;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.cpu.KernelChoice;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Why a model ran on slower kernels than this machine has, and the way out.
 *
 * @param what the reason, for people
 * @param wayOut what to do
 * @param win what that should win, reckoned from ceilings; empty where they say nothing
 */
public record SlowPath(String what, String wayOut, String win) {
  /** Types with a smaller share of the weights than that do not decide how fast a model is. */
  private static final double SHARE = 0.2;

  /** Properties that keep the fastest kernels away. */
  private static final List<String> FLAGS =
      List.of(Kernels.PROPERTY, AssembledKernels.INTEGER_PROPERTY, AssembledKernels.TIER_PROPERTY);

  /** Values of them that keep nothing away: those of the defaults. */
  private static final Set<String> HARMLESS = harmless();

  private static Set<String> harmless() {
    Tier best = Tier.of(CpuFeatures.here());
    return Set.of("true", "assembled", best == null ? "vector" : best.word());
  }

  /** A flag that keeps the fastest kernels away, {@code -Dridgeline.tier=avx2}; else null. */
  public static String flag(UnaryOperator<String> properties) {
    return FLAGS.stream()
        .map(flag -> flag(flag, properties))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static String flag(String flag, UnaryOperator<String> properties) {
    String value = properties.apply(flag);
    return value == null || HARMLESS.contains(value) ? null : "-D%s=%s".formatted(flag, value);
  }

  /** Says in a line what keeps the fastest kernels away, where no report does. */
  public static void warn(Progress progress) {
    String flag = flag(System::getProperty);
    if (flag != null) progress.note("slower kernels than this machine has: leave out " + flag);
  }

  /**
   * How a run of this process went; also whether its model could be run by faster kernels.
   *
   * @param repacked whether weights were copied into the layout of the kernels
   */
  public static Map<String, String> conditions(Outcome outcome, boolean repacked, Ceilings roof) {
    String model = outcome.configuration().get(Outcome.FILE);
    if (model == null) return outcome.conditions();
    SlowPath slow = of(KernelChoice.made(), weights(Path.of(model)), roof, System::getProperty);
    if (slow == null && !repacked) slow = unpacked();
    return slow == null ? outcome.conditions() : slow.among(outcome.conditions());
  }

  private static SlowPath unpacked() {
    String option = ModelOptions.REPACK.name() + " no";
    return new SlowPath(
        "weights are repacked for each product: " + option, "leave out " + option, "");
  }

  /**
   * That of a choice of kernels.
   *
   * @param weights bytes of matrices by their type
   * @param properties of the JVM, null for those that are not set
   */
  static SlowPath of(
      KernelChoice choice,
      Map<TensorType, Long> weights,
      Ceilings roof,
      UnaryOperator<String> properties) {
    if (choice.slow()) return slowKernels(choice.reason(), roof);
    String tier = flag(AssembledKernels.TIER_PROPERTY, properties);
    if (tier != null) {
      return new SlowPath("kernels of a lower tier: " + tier, "leave out " + tier, "");
    }
    long all = weights.values().stream().mapToLong(Long::longValue).sum();
    Map<TensorType, Long> widened = new EnumMap<>(TensorType.class);
    weights.forEach(
        (type, bytes) -> {
          if (type.quantized() && !choice.kernels().integer(type)) widened.put(type, bytes);
        });
    if (widened.isEmpty()) return otherFamily(properties);
    var most = Collections.max(widened.entrySet(), Map.Entry.comparingByValue());
    if (most.getValue() < SHARE * all) return otherFamily(properties);
    return widened(most.getKey(), choice, roof, properties);
  }

  private static SlowPath otherFamily(UnaryOperator<String> properties) {
    String flag = flag(Kernels.PROPERTY, properties);
    return flag == null ? null : new SlowPath("slow kernels: " + flag, "leave out " + flag, "");
  }

  private static SlowPath slowKernels(String reason, Ceilings roof) {
    int lanes = roof.compute(Arithmetic.F32).map(Compute::bits).orElse(0) / 32;
    return new SlowPath(
        "slow kernels: " + reason,
        "start it by ./ridgeline on a JVM with C2, without -Xint, -XX:TieredStopAtLevel or UseAVX",
        lanes == 0
            ? ""
            : "up to %d ×: registers of this CPU hold %d numbers".formatted(lanes, lanes));
  }

  private static SlowPath widened(
      TensorType type, KernelChoice choice, Ceilings roof, UnaryOperator<String> properties) {
    String what = "products with weights of %s are done in f32 here".formatted(type.word());
    String flag = flag(properties);
    if (flag != null) return new SlowPath(what, "leave out " + flag, win(fastest(roof), roof));
    if (choice.kernels().integer(TensorType.Q8_0)) {
      String win = win(roof.compute(choice.kernels().form(TensorType.Q8_0, 64)).orElse(null), roof);
      return new SlowPath(what, "use another type: -m MODEL:q8_0", win);
    }
    return new SlowPath(what + ", which widens them every time", "use f32: -m MODEL:f32", "");
  }

  private static Compute fastest(Ceilings roof) {
    return roof.fastest().stream().filter(each -> each.kind().integer()).findFirst().orElse(null);
  }

  /** What arithmetic would win that is measured by another ceiling than that of f32. */
  private static String win(Compute better, Ceilings roof) {
    Compute now = roof.compute(Arithmetic.F32).orElse(null);
    if (now == null || better == null) return "";
    double times = better.all().typical() / now.all().typical();
    return times <= 1
        ? ""
        : "up to %s × in products: %s %s instead of %s %s"
            .formatted(
                Quantity.number(times),
                Quantity.number(better.all().typical() / 1e9),
                better.kind().unit(),
                Quantity.number(now.all().typical() / 1e9),
                now.kind().unit());
  }

  private static Map<TensorType, Long> weights(Path model) {
    Map<TensorType, Long> bytes = new EnumMap<>(TensorType.class);
    try (Gguf file = Gguf.open(model)) {
      for (GgufTensor tensor : file.tensors()) {
        // Tables are looked up and not multiplied, but for those that are the last product, too.
        if (tensor.rows() == 1 || tensor.name().startsWith("token_embd")) continue;
        bytes.merge(tensor.type(), tensor.data().byteSize(), Long::sum);
      }
    }
    return bytes;
  }

  /** Conditions of a run with this among them. */
  Map<String, String> among(Map<String, String> conditions) {
    Map<String, String> all = new LinkedHashMap<>(conditions);
    all.put(Run.SLOW_PATH, what);
    all.put(Run.WAY_OUT, wayOut);
    if (!win.isEmpty()) all.put(Run.WAY_OUT_WINS, win);
    return all;
  }
}
