package dev.ridgeline.cli.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Compute;
import dev.ridgeline.report.roofline.Ceilings.Rate;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.cpu.KernelChoice;
import dev.ridgeline.tensor.kernel.Kernels;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

@Execution(CONCURRENT)
class SlowPathTest {
  private static final Ceilings ROOF =
      new Ceilings(
          Instant.EPOCH,
          2,
          List.of(
              new Compute(Arithmetic.F32, 256, rate(2e11), rate(2e11), 0),
              new Compute(Arithmetic.INT8_WORDS, 256, rate(3e11), rate(3e11), 0),
              new Compute(Arithmetic.INT8, 256, rate(8e11), rate(8e11), 0)),
          List.of());

  private static Rate rate(double rate) {
    return new Rate(rate, rate, rate);
  }

  /** Kernels that count in whole numbers for some types. */
  private static KernelChoice integer(TensorType... types) {
    Set<TensorType> all = Set.of(types);
    Kernels kernels =
        (Kernels)
            Proxy.newProxyInstance(
                Kernels.class.getClassLoader(),
                new Class<?>[] {Kernels.class},
                (_, method, args) ->
                    switch (method.getName()) {
                      case "integer" -> all.contains(args[0]);
                      case "form" -> all.contains(args[0]) ? Arithmetic.INT8_WORDS : Arithmetic.F32;
                      default -> throw new UnsupportedOperationException(method.getName());
                    });
    return new KernelChoice(kernels, "the fastest family here", false);
  }

  private static SlowPath of(KernelChoice choice, Map<TensorType, Long> weights) {
    return SlowPath.of(choice, weights, ROOF, _ -> null);
  }

  @Test
  void theFastestKernelsHaveNone() {
    assertThat(of(integer(TensorType.Q8_0), Map.of(TensorType.Q8_0, 9L))).isNull();
    assertThat(of(integer(), Map.of(TensorType.F32, 9L))).isNull();
    // A tenth of the weights makes no model slow.
    assertThat(of(integer(TensorType.Q8_0), Map.of(TensorType.Q8_0, 9L, TensorType.Q6_K, 1L)))
        .isNull();
  }

  @Test
  void aTypeThatIsWidenedNamesAnotherWithTheRatioOfCeilings() {
    SlowPath slow = of(integer(TensorType.Q8_0), Map.of(TensorType.Q4_K, 7L, TensorType.Q6_K, 3L));
    assertThat(slow.what()).isEqualTo("products with weights of q4_k are done in f32 here");
    assertThat(slow.wayOut()).isEqualTo("use another type: -m MODEL:q8_0");
    assertThat(slow.win()).isEqualTo("up to 1.50 × in products: 300 GOP/s instead of 200 GFLOP/s");
  }

  @Test
  void whereNoTypeIsFastF32IsTheWayOut() {
    SlowPath slow = of(integer(), Map.of(TensorType.Q8_0, 1L));
    assertThat(slow.wayOut()).isEqualTo("use f32: -m MODEL:f32");
    assertThat(slow.win()).isEmpty();
  }

  @Test
  void aFlagThatCausesItIsNamed() {
    SlowPath slow =
        SlowPath.of(
            integer(),
            Map.of(TensorType.Q8_0, 1L),
            ROOF,
            Map.of("ridgeline.integer", "false")::get);
    assertThat(slow.wayOut()).isEqualTo("leave out -Dridgeline.integer=false");
    assertThat(slow.win()).startsWith("up to 4.00 × in products");
  }

  @Test
  void aLowerTierIsOneAndNamesItself() {
    var tier = Map.of("ridgeline.tier", "avx1");
    SlowPath slow =
        SlowPath.of(integer(TensorType.Q8_0), Map.of(TensorType.Q8_0, 1L), ROOF, tier::get);
    assertThat(slow.what()).isEqualTo("kernels of a lower tier: -Dridgeline.tier=avx1");
    assertThat(slow.wayOut()).isEqualTo("leave out -Dridgeline.tier=avx1");
  }

  @Test
  void anotherFamilyIsOneForFloatsToo() {
    var family = Map.of("ridgeline.kernels", "scalar");
    SlowPath slow = SlowPath.of(integer(), Map.of(TensorType.F32, 1L), ROOF, family::get);
    assertThat(slow.what()).isEqualTo("slow kernels: -Dridgeline.kernels=scalar");
    assertThat(slow.wayOut()).isEqualTo("leave out -Dridgeline.kernels=scalar");
  }

  @Test
  void slowKernelsSayWhyAndWhatRegistersCouldDo() {
    var choice = new KernelChoice(integer().kernels(), "this JVM runs without C2", true);
    SlowPath slow = of(choice, Map.of(TensorType.F32, 1L));
    assertThat(slow.what()).isEqualTo("slow kernels: this JVM runs without C2");
    assertThat(slow.wayOut()).contains("a JVM with C2");
    assertThat(slow.win()).startsWith("up to 8 ×");
  }

  @Test
  void aRunKeepsItAmongItsConditions() {
    var slow = new SlowPath("slow", "do this", "");
    assertThat(slow.among(Map.of("warm-up", "none")))
        .containsOnly(
            Map.entry("warm-up", "none"),
            Map.entry("slow path", "slow"),
            Map.entry("way out", "do this"));
  }
}
