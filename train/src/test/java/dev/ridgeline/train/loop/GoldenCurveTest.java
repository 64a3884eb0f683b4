package dev.ridgeline.train.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.model.shape.Sizes;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.train.Schedule.Kind;
import dev.ridgeline.train.config.OptimizerConfig;
import dev.ridgeline.train.net.Gpt2Net;
import dev.ridgeline.train.net.Initial;
import dev.ridgeline.train.net.Kept;
import dev.ridgeline.train.net.LlamaNet;
import dev.ridgeline.train.net.Net;
import dev.ridgeline.train.net.Parameter;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A hundred steps beside PyTorch's; golden.py beside golden.json has the same formulas. */
class GoldenCurveTest {
  private static final int STEPS = 100;
  private static final int BATCH = 8;
  private static final int LENGTH = 32;
  private static final int VOCABULARY = 61;
  private static final int DIM = 48;
  private static final int LAYERS = 2;
  private static final int HEADS = 4;
  private static final int KEY_HEADS = 2;
  private static final int HIDDEN = 112;
  private static final double RATE = 3e-3;
  private static final double LEAST_RATE = 3e-4;
  private static final int WARM_UP = 10;
  private static final float NORM_EPSILON = 1e-5f;

  static final OptimizerConfig OPTIMIZER =
      new OptimizerConfig(RATE, LEAST_RATE, Kind.COSINE, WARM_UP, 0.9, 0.95, 1e-8, 0.1, 1);

  @Test
  void gpt2LearnsAsInPyTorch() throws IOException {
    Sizes sizes = Sizes.of(VOCABULARY, LENGTH, LAYERS, DIM, 4 * DIM, HEADS);
    var shape = new Gpt2Shape(sizes, NORM_EPSILON, true);
    try (Device device = Device.cpu(2);
        Net net = new Gpt2Net(shape, device)) {
      learnsAs("gpt2", net, device);
    }
  }

  @Test
  void llamaLearnsAsInPyTorch() throws IOException {
    try (Device device = Device.cpu(2);
        Net net = new LlamaNet(llama(), device)) {
      learnsAs("llama", net, device);
    }
  }

  static DecoderShape llama() {
    Sizes sizes = new Sizes(VOCABULARY, LENGTH, LAYERS, DIM, HIDDEN, HEADS, KEY_HEADS, DIM / HEADS);
    return DecoderShape.plain(DecoderFamily.LLAMA, sizes, 10_000, NORM_EPSILON, false);
  }

  private static void learnsAs(String name, Net net, Device device) throws IOException {
    JsonNode golden = golden().get(name).get("f32");
    assertThat(net.parameters().count()).isEqualTo(golden.get("parameters").asLong());
    initial().fill(net.parameters(), device);
    var plan = new StepPlan(4, BATCH / 4, LENGTH, 1, true, Kept.ALL, OPTIMIZER);
    int[] inputs = new int[BATCH * LENGTH];
    int[] targets = new int[BATCH * LENGTH];
    try (var steps = new Steps(net, device, plan)) {
      for (int step = 0; step < STEPS; step++) {
        batch(step, inputs, targets);
        steps.take(inputs, targets, rate(step));
        assertThat(steps.loss())
            .as("%s, loss of step %d", name, step)
            .isCloseTo(golden.get("losses").get(step).asDouble(), within(1e-3));
        double norm = golden.get("norms").get(step).asDouble();
        assertThat(steps.norm())
            .as("%s, gradients of step %d", name, step)
            .isCloseTo(norm, within(1e-2 * norm));
      }
    }
  }

  static JsonNode golden() throws IOException {
    try (InputStream in = GoldenCurveTest.class.getResourceAsStream("golden.json")) {
      return new ObjectMapper().readTree(in);
    }
  }

  private static long mixed(long number) {
    long z = number * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  static Initial initial() {
    return (parameter, to) -> {
      double scale = scale(parameter);
      for (int i = 0; i < parameter.count(); i++) {
        long random = mixed(((long) parameter.index() << 32) + i + 1) >>> 40;
        to[i] =
            switch (parameter.kind()) {
              case NORM -> 1;
              case BIAS -> 0;
              default -> (float) ((random / (double) (1 << 23) - 1) * scale);
            };
      }
    };
  }

  private static double scale(Parameter parameter) {
    if (parameter.name().equals("position_embd.weight")) return 0.06;
    return parameter.kind() == Parameter.Kind.RESIDUAL ? 0.12 / Math.sqrt(2 * LAYERS) : 0.12;
  }

  private static int token(long t) {
    return (int) ((t * (3 + t / 37 % 5) + (mixed(t + 1) >>> 60) / 6) % VOCABULARY);
  }

  static void batch(int step, int[] inputs, int[] targets) {
    long start = (long) step * BATCH * LENGTH;
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = token(start + i);
      targets[i] = token(start + i + 1);
    }
  }

  static double rate(int step) {
    if (step < WARM_UP) return RATE * (step + 1) / WARM_UP;
    double part = (double) (step - WARM_UP) / (STEPS - WARM_UP);
    return LEAST_RATE + (RATE - LEAST_RATE) * 0.5 * (1 + Math.cos(Math.PI * part));
  }
}
