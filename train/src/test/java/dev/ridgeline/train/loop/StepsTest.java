package dev.ridgeline.train.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.model.shape.Sizes;
import dev.ridgeline.oracle.Allocated;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.grad.GradDevice;
import dev.ridgeline.train.net.Gpt2Net;
import dev.ridgeline.train.net.Kept;
import dev.ridgeline.train.net.LlamaNet;
import dev.ridgeline.train.net.Net;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A step: the same bits whoever computes it, and nothing on the heap. */
class StepsTest {
  private static final int BATCH = 8;
  private static final int LENGTH = 32;
  private static final int STEPS = 6;
  private static final double RATE = 3e-3;

  private static Net net(String shape, Device device) {
    return shape.equals("llama")
        ? new LlamaNet(GoldenCurveTest.llama(), device)
        : new Gpt2Net(new Gpt2Shape(Sizes.of(61, LENGTH, 2, 48, 192, 4), 1e-5f, true), device);
  }

  private static StepPlan plan(int shards, int rounds, boolean coarse, Kept kept) {
    int texts = BATCH / shards / rounds;
    return new StepPlan(shards, texts, LENGTH, rounds, coarse, kept, GoldenCurveTest.OPTIMIZER);
  }

  /** Losses of some steps, then every weight, all as bits. */
  private static long[] learned(String shape, int workers, StepPlan plan) {
    int[] inputs = new int[BATCH * LENGTH];
    int[] targets = new int[BATCH * LENGTH];
    try (Device device = Device.cpu(workers);
        Net net = net(shape, device)) {
      GoldenCurveTest.initial().fill(net.parameters(), device);
      try (Steps steps = new Steps(net, device, plan);
          Arena arena = Arena.ofConfined()) {
        LongStream.Builder bits = LongStream.builder();
        for (int step = 0; step < STEPS; step++) {
          GoldenCurveTest.batch(step, inputs, targets);
          steps.take(inputs, targets, RATE);
          bits.add(Double.doubleToRawLongBits(steps.loss()));
        }
        Tensor weights = net.parameters().weights();
        MemorySegment numbers = arena.allocate(4L * weights.columns());
        GradDevice.of(device).read(weights, 0, numbers);
        for (int word : numbers.toArray(ValueLayout.JAVA_INT)) bits.add(word);
        return bits.build().toArray();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"llama, 4, 1", "gpt2, 4, 1", "llama, 2, 2", "gpt2, 1, 1"})
  void anyNumberOfWorkersAndEitherStrategyGivesTheSameBits(String shape, int shards, int rounds) {
    long[] expected = learned(shape, 1, plan(shards, rounds, false, Kept.ALL));
    long[] rounded = learned(shape, 1, plan(shards, rounds, false, Kept.HALVES));
    assertThat(rounded).isNotEqualTo(expected);
    for (int workers = 1; workers <= 3; workers++) {
      for (boolean coarse : new boolean[] {false, true}) {
        for (Kept kept : Kept.values()) {
          assertThat(learned(shape, workers, plan(shards, rounds, coarse, kept)))
              .as("%d workers, coarse %s, kept %s", workers, coarse, kept)
              .isEqualTo(kept == Kept.HALVES ? rounded : expected);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"llama", "gpt2"})
  void activationsInHalfOfTheMemoryTeachAlmostTheSame(String shape) {
    long[] whole = learned(shape, 1, plan(4, 1, true, Kept.ALL));
    long[] rounded = learned(shape, 1, plan(4, 1, true, Kept.HALVES));
    assertThat(rounded[0]).as("the loss before any gradient").isEqualTo(whole[0]);
    for (int step = 1; step < STEPS; step++) {
      double loss = Double.longBitsToDouble(whole[step]);
      assertThat(Double.longBitsToDouble(rounded[step])).isCloseTo(loss, within(2e-3));
    }
  }

  @Test
  @Tag("own-jvm")
  void aStepAllocatesNothing() {
    assertThat(Allocated.by(StepsAgain.class))
        .containsExactly(
            entry("llama, fine, ALL", 0L),
            entry("llama, coarse, HALVES", 0L),
            entry("gpt2, fine, INPUTS", 0L),
            entry("gpt2, coarse, ALL", 0L));
  }

  static final class StepsAgain {
    public static void main(String[] arguments) {
      count("llama", false, Kept.ALL);
      count("llama", true, Kept.HALVES);
      count("gpt2", false, Kept.INPUTS);
      count("gpt2", true, Kept.ALL);
    }

    private static void count(String shape, boolean coarse, Kept kept) {
      int[] inputs = new int[BATCH * LENGTH];
      int[] targets = new int[BATCH * LENGTH];
      GoldenCurveTest.batch(0, inputs, targets);
      try (Device device = Device.cpu(1);
          Net net = net(shape, device)) {
        GoldenCurveTest.initial().fill(net.parameters(), device);
        try (Steps steps = new Steps(net, device, plan(4, 1, coarse, kept))) {
          String what = shape + (coarse ? ", coarse, " : ", fine, ") + kept;
          Allocated.again(what, () -> steps.take(inputs, targets, 1e-5));
        }
      }
    }
  }
}
