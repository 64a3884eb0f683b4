package dev.ridgeline.tensor.cpu;

import static dev.ridgeline.tensor.cpu.Slopes.assertClose;
import static dev.ridgeline.tensor.cpu.Slopes.dot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Angles;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.cpu.Trainer.Family;
import dev.ridgeline.tensor.grad.AdamStep;
import dev.ridgeline.tensor.grad.Attended;
import dev.ridgeline.tensor.grad.AttentionBackward;
import dev.ridgeline.tensor.grad.NormBackward;
import dev.ridgeline.tensor.quant.Bf16Float;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every gradient is the slope of its operation, for random shapes. */
class GradientsTest {
  private static final int SEEDS = 8;
  private static final int ANY = Integer.MAX_VALUE;

  @ParameterizedTest
  @EnumSource
  void rmsNorm(Family family) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Trainer trainer = new Trainer(family, 2, seed)) {
        Random random = trainer.play.random;
        int rows = seed == 0 ? 1 : random.nextInt(1, 12);
        int width = random.nextInt(1, 70);
        boolean add = random.nextBoolean();
        Tensor x = trainer.any(rows, width);
        Tensor dy = trainer.any(rows, width);
        Tensor weight = trainer.play.filled(1, width);
        Tensor dx = trainer.any(rows, width);
        Tensor dWeight = trainer.play.filled(1, width);
        Tensor stats = trainer.any(rows, 2);
        double[] was = trainer.read(dx);
        trainer.grad.rmsNorm(dx, dWeight, dy, x, weight, new NormBackward(1e-2f, add, stats));
        double[] d = trainer.read(dy);
        Slopes.Loss loss = in -> dot(d, Forward.rmsNorm(in[0], in[1], 1e-2f));
        double[][] inputs = {trainer.read(x), trainer.read(weight)};
        String what = "seed %d: %d×%d, add %s".formatted(seed, rows, width, add);
        double[] expected = onto(Slopes.by(0, loss, inputs), add, was);
        assertClose(trainer.play.read(dx), expected, "dx of " + what);
        assertClose(trainer.play.read(dWeight), Slopes.by(1, loss, inputs), "dWeight of " + what);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void layerNorm(Family family) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Trainer trainer = new Trainer(family, 2, seed)) {
        Random random = trainer.play.random;
        int rows = seed == 0 ? 1 : random.nextInt(1, 12);
        int width = random.nextInt(2, 70);
        boolean add = random.nextBoolean();
        Tensor x = trainer.any(rows, width);
        Tensor dy = trainer.any(rows, width);
        Tensor weight = trainer.play.vector(trainer.play.numbers(width));
        Tensor bias = trainer.play.vector(trainer.play.numbers(width));
        Tensor dx = trainer.any(rows, width);
        Tensor dWeight = trainer.play.filled(1, width);
        Tensor dBias = trainer.play.filled(1, width);
        Tensor stats = trainer.any(rows, 2);
        double[] was = trainer.read(dx);
        trainer.grad.layerNorm(
            dx, dWeight, dBias, dy, x, weight, new NormBackward(1e-2f, add, stats));
        double[] d = trainer.read(dy);
        Slopes.Loss loss = in -> dot(d, Forward.layerNorm(in[0], in[1], in[2], 1e-2f));
        double[][] inputs = {trainer.read(x), trainer.read(weight), trainer.read(bias)};
        String what = "seed %d: %d×%d, add %s".formatted(seed, rows, width, add);
        double[] expected = onto(Slopes.by(0, loss, inputs), add, was);
        assertClose(trainer.play.read(dx), expected, "dx of " + what);
        assertClose(trainer.play.read(dWeight), Slopes.by(1, loss, inputs), "dWeight of " + what);
        assertClose(trainer.play.read(dBias), Slopes.by(2, loss, inputs), "dBias of " + what);
      }
    }
  }

  /** More rows than a block of them has. */
  @ParameterizedTest
  @EnumSource
  void weightsOfNormsSumManyRows(Family family) {
    try (Trainer trainer = new Trainer(family, 1, 3)) {
      int rows = 3000;
      int width = 37;
      Tensor x = trainer.strided(rows, width);
      Tensor dy = trainer.play.filled(rows, width);
      Tensor weight = trainer.play.filled(1, width);
      Tensor dx = trainer.play.empty(rows, width);
      Tensor dWeight = trainer.play.filled(1, width);
      Tensor dBias = trainer.play.filled(1, width);
      Tensor stats = trainer.play.empty(rows, 2);
      trainer.grad.layerNorm(
          dx, dWeight, dBias, dy, x, weight, new NormBackward(1e-5f, false, stats));
      double[] d = trainer.read(dy);
      Slopes.Loss loss = in -> dot(d, Forward.layerNorm(in[0], in[1], in[2], 1e-5f));
      double[][] inputs = {trainer.read(x), trainer.read(weight), new double[width]};
      assertClose(trainer.play.read(dWeight), Slopes.by(1, loss, inputs), "dWeight");
      assertClose(trainer.play.read(dBias), Slopes.by(2, loss, inputs), "dBias");
    }
  }

  @ParameterizedTest
  @EnumSource
  void gelu(Family family) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Trainer trainer = new Trainer(family, 2, seed)) {
        Tensor x = bend(trainer);
        Tensor dy = trainer.any(x.rows(), x.columns());
        Tensor dx = seed % 2 == 0 ? dy : trainer.any(x.rows(), x.columns());
        double[] d = trainer.read(dy);
        trainer.grad.apply(Activation.GELU, dx, dy, x);
        double[] expected = slopes(v -> v * Reference.normalBelow(v), trainer.read(x), d);
        assertClose(trainer.play.read(dx), expected, "seed %d: %s".formatted(seed, x));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void geluTanh(Family family) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Trainer trainer = new Trainer(family, 2, seed)) {
        Tensor x = bend(trainer);
        Tensor dy = trainer.any(x.rows(), x.columns());
        Tensor dx = seed % 2 == 0 ? dy : trainer.any(x.rows(), x.columns());
        double[] d = trainer.read(dy);
        trainer.grad.apply(Activation.GELU_TANH, dx, dy, x);
        double[] expected = slopes(Forward::geluTanh, trainer.read(x), d);
        assertClose(trainer.play.read(dx), expected, "seed %d: %s".formatted(seed, x));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void farFromZeroBendsAreStraight(Family family) {
    float[] far = {-1e30f, -1000, -90, -88.5f, -87.5f, -30, -10.1f, 10.1f, 30, 88.5f, 1000, 1e30f};
    float[] straight = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
    float[] line = {0, 0, 0, 0, 0, 0, 0, 10.1f, 30, 88.5f, 1000, 1e30f};
    float[] ones = new float[far.length];
    Arrays.fill(ones, 1);
    try (Trainer trainer = new Trainer(family, 1, 1)) {
      Tensor x = trainer.play.of(1, far.length, far);
      Tensor one = trainer.play.of(1, far.length, ones);
      Tensor dx = trainer.play.empty(1, far.length);
      trainer.grad.apply(Activation.GELU, dx, one, x);
      assertThat(trainer.play.read(dx)).containsExactly(straight, within(1e-6f));
      trainer.grad.apply(Activation.GELU_TANH, dx, one, x);
      assertThat(trainer.play.read(dx)).containsExactly(straight, within(1e-6f));
      Tensor dUp = trainer.play.empty(1, far.length);
      trainer.grad.apply(Activation.SILU, dx, dUp, one, x, one);
      assertThat(trainer.play.read(dx)).containsExactly(straight, within(5e-4f));
      assertThat(trainer.play.read(dUp)).containsExactly(line, within(5e-4f));
    }
  }

  @ParameterizedTest
  @EnumSource
  void swiglu(Family family) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Trainer trainer = new Trainer(family, 2, seed)) {
        Random random = trainer.play.random;
        int rows = random.nextInt(1, 6);
        int width = random.nextInt(1, 50);
        // Gate and up lie side by side, and so may their gradients.
        Tensor both = trainer.play.filled(rows, 2 * width);
        Tensor gate = both.columns(0, width);
        Tensor up = both.columns(width, 2 * width);
        boolean inPlace = seed % 2 == 0;
        Tensor dGate = inPlace ? gate : trainer.any(rows, width);
        Tensor dUp = inPlace ? up : trainer.any(rows, width);
        Tensor dy = trainer.any(rows, width);
        double[] d = trainer.read(dy);
        double[][] inputs = {trainer.read(gate), trainer.read(up)};
        trainer.grad.apply(Activation.SILU, dGate, dUp, dy, gate, up);
        Slopes.Loss loss = in -> dot(d, Forward.swiglu(in[0], in[1]));
        String what = "seed %d: %d×%d".formatted(seed, rows, width);
        assertClose(trainer.play.read(dGate), Slopes.by(0, loss, inputs), "dGate of " + what);
        assertClose(trainer.play.read(dUp), Slopes.by(1, loss, inputs), "dUp of " + what);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void rope(Family family) {
    for (int seed = 0; seed < 2 * SEEDS; seed++) {
      try (Trainer trainer = new Trainer(family, 2, seed)) {
        Random random = trainer.play.random;
        Pairing pairing = seed % 2 == 0 ? Pairing.HALVES : Pairing.NEIGHBOURS;
        int rows = random.nextInt(1, 5);
        int heads = random.nextInt(1, 4);
        int turned = 2 * random.nextInt(1, 40);
        int width = turned + random.nextInt(4);
        int[] positions = random.ints(rows, 0, 9).toArray();
        Tensor dx = trainer.any(rows, heads * width);
        try (Tensor angles = Angles.of(trainer.play.device, "test", 9, turned, 100, 1, null)) {
          double[] d = trainer.read(dx);
          Tensor at = trainer.play.integers(positions);
          trainer.grad.rope(dx, heads, at, angles, pairing);
          double[] turn = trainer.read(angles);
          boolean near = pairing == Pairing.NEIGHBOURS;
          Slopes.Loss loss =
              in -> dot(d, Forward.rope(in[0], heads, width, positions, turn, turned, near));
          double[] slopes = Slopes.by(0, loss, new double[d.length]);
          assertClose(
              trainer.play.read(dx),
              slopes,
              "seed %d: %d heads of %d, %d turn, %s"
                  .formatted(seed, heads, width, turned, pairing));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void rowsOfATableSumWhatWasLookedUp(Family family) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Trainer trainer = new Trainer(family, 3, seed)) {
        Random random = trainer.play.random;
        int width = random.nextInt(1, 150);
        int[] ids = random.ints(random.nextInt(1, 40), 0, 9).toArray();
        Tensor dTable = trainer.any(9, width);
        Tensor dy = trainer.any(ids.length, width);
        double[] expected = trainer.read(dTable);
        double[] d = trainer.read(dy);
        trainer.grad.rows(dTable, dy, trainer.play.integers(ids));
        for (int r = 0; r < ids.length; r++) {
          for (int c = 0; c < width; c++) expected[ids[r] * width + c] += d[r * width + c];
        }
        assertClose(trainer.play.read(dTable), expected, "seed %d".formatted(seed));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void attention(Family family) {
    for (int seed = 0; seed < 2 * SEEDS; seed++) {
      try (Trainer trainer = new Trainer(family, 2, seed)) {
        Random random = trainer.play.random;
        int[] lengths = random.ints(random.nextInt(1, 4), 1, 14).toArray();
        if (seed % 4 == 3) lengths[0] = 45;
        int rows = Arrays.stream(lengths).sum();
        int keyHeads = random.nextInt(1, 3);
        int heads = keyHeads * random.nextInt(1, 4);
        int width = random.nextInt(1, 10);
        int valueWidth = random.nextInt(1, 10);
        int before = random.nextInt(3) == 0 ? random.nextInt(5) : ANY;
        int after = random.nextInt(3) == 0 ? random.nextInt(5) : random.nextBoolean() ? 0 : ANY;
        float scale = 0.6f;
        int[] ends = {
          heads * width,
          (heads + keyHeads) * width,
          (heads + keyHeads) * width + keyHeads * valueWidth
        };
        // One product makes q, k and v, and takes their gradients.
        Tensor qkv = trainer.play.filled(rows, ends[2] + 3);
        Tensor d = trainer.play.filled(rows, ends[2] + 3);
        Tensor q = qkv.columns(0, ends[0]);
        Tensor k = qkv.columns(ends[0], ends[1]);
        Tensor v = qkv.columns(ends[1], ends[2]);
        Tensor dq = d.columns(0, ends[0]);
        Tensor dk = d.columns(ends[0], ends[1]);
        Tensor dv = d.columns(ends[1], ends[2]);
        Tensor rest = d.columns(ends[2], ends[2] + 3);
        float[] untouched = trainer.play.read(rest);
        Tensor dOut = trainer.any(rows, heads * valueWidth);
        Sequences texts = trainer.play.texts(lengths);
        try (Tensor workspace = trainer.grad.attentionWorkspace("test", texts.longest())) {
          trainer.grad.attention(
              dq,
              dk,
              dv,
              dOut,
              new Attended(q, k, v),
              new AttentionBackward(
                  texts, new Heads(heads, keyHeads, scale, before, after), workspace));
        }
        double[] out = trainer.read(dOut);
        Slopes.Loss loss =
            in ->
                dot(
                    out,
                    Forward.attention(
                        in[0],
                        in[1],
                        in[2],
                        lengths,
                        heads,
                        keyHeads,
                        width,
                        valueWidth,
                        scale,
                        before,
                        after));
        double[][] inputs = {trainer.read(q), trainer.read(k), trainer.read(v)};
        String what =
            "seed %d: texts %s, %d heads of %d and %d on %d, window %d, %d"
                .formatted(
                    seed,
                    Arrays.toString(lengths),
                    heads,
                    width,
                    valueWidth,
                    keyHeads,
                    before,
                    after);
        assertClose(trainer.play.read(dq), Slopes.by(0, loss, inputs), "dq of " + what);
        assertClose(trainer.play.read(dk), Slopes.by(1, loss, inputs), "dk of " + what);
        assertClose(trainer.play.read(dv), Slopes.by(2, loss, inputs), "dv of " + what);
        assertThat(trainer.play.read(rest)).as(what).isEqualTo(untouched);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void crossEntropy(Family family) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Trainer trainer = new Trainer(family, 2, seed)) {
        Random random = trainer.play.random;
        int rows = random.nextInt(1, 6);
        int width = random.nextInt(1, 120);
        int[] targets = random.ints(rows, -1, width).toArray();
        Tensor logits = trainer.any(rows, width);
        Tensor losses = trainer.any(rows, 1);
        double[] was = trainer.read(logits);
        trainer.grad.crossEntropy(losses, logits, trainer.play.integers(targets), 0.25f);
        String what = "seed %d: %d×%d".formatted(seed, rows, width);
        assertClose(trainer.play.read(losses), Forward.crossEntropy(was, targets), what);
        Slopes.Loss loss = in -> 0.25 * Arrays.stream(Forward.crossEntropy(in[0], targets)).sum();
        assertClose(trainer.play.read(logits), Slopes.by(0, loss, was), what);
      }
    }
  }

  /** More numbers than lanes are summed at a time, and a target that is all but certain. */
  @ParameterizedTest
  @EnumSource
  void aLossThatIsAlmostNothingKeepsItsDigits(Family family) {
    try (Trainer trainer = new Trainer(family, 1, 4)) {
      int width = 2500;
      float[] numbers = trainer.play.numbers(width);
      numbers[1234] = 25;
      Tensor logits = trainer.play.of(1, width, numbers);
      Tensor losses = trainer.play.empty(1, 1);
      trainer.grad.crossEntropy(losses, logits, trainer.play.integers(1234), 1);
      double others = 0;
      for (int i = 0; i < width; i++) if (i != 1234) others += Math.exp(numbers[i] - 25.0);
      assertThat((double) trainer.play.read(losses)[0])
          .isCloseTo(Math.log1p(others), within(1e-5 * others));
      assertThat((double) trainer.play.read(logits)[1234])
          .isCloseTo(-others / (1 + others), within(1e-5 * others));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLossOfWhatIsNoNumberIsNone(Family family) {
    try (Trainer trainer = new Trainer(family, 1, 4)) {
      float[] numbers = trainer.play.numbers(3 * 40);
      numbers[17] = Float.NaN;
      numbers[40 + 38] = Float.NaN;
      numbers[80 + 3] = Float.POSITIVE_INFINITY;
      Tensor logits = trainer.play.of(3, 40, numbers);
      Tensor losses = trainer.play.empty(3, 1);
      trainer.grad.crossEntropy(losses, logits, trainer.play.integers(3, 3, 3), 1);
      assertThat(trainer.play.read(losses)).containsOnly(Float.NaN);
    }
  }

  @ParameterizedTest
  @EnumSource
  void sums(Family family) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Trainer trainer = new Trainer(family, 3, seed)) {
        Random random = trainer.play.random;
        int columns = random.nextBoolean() ? 1 : random.nextInt(1, 9000);
        Tensor x = trainer.any(random.nextInt(1, 30), columns);
        double sum = 0;
        double squares = 0;
        double magnitude = 0;
        for (double number : trainer.read(x)) {
          sum += number;
          squares += number * number;
          magnitude += Math.abs(number);
        }
        assertThat(trainer.grad.sum(x)).isCloseTo(sum, within(1e-6 * magnitude));
        assertThat(trainer.grad.sumOfSquares(x)).isCloseTo(squares, within(1e-6 * squares));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void adamW(Family family) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Trainer trainer = new Trainer(family, 2, seed)) {
        Random random = trainer.play.random;
        int rows = random.nextInt(1, 20);
        int width = random.nextInt(1, 500);
        Tensor weight = trainer.any(rows, width);
        Tensor m = trainer.play.empty(rows, width);
        Tensor v = trainer.play.empty(rows, width);
        double[] p = trainer.read(weight);
        double[] mean = new double[p.length];
        double[] squares = new double[p.length];
        AdamStep step = new AdamStep();
        step.rate = 0.01;
        step.decay = seed % 2 == 0 ? 0.1 : 0;
        step.factor = 0.5;
        for (int s = 1; s <= 4; s++) {
          Tensor gradient = trainer.any(rows, width);
          double[] g = trainer.read(gradient);
          trainer.grad.adamW(weight, gradient, m, v, step.step(s));
          for (int i = 0; i < p.length; i++) {
            double d = 0.5 * g[i];
            p[i] *= 1 - 0.01 * step.decay;
            mean[i] = 0.9 * mean[i] + 0.1 * d;
            squares[i] = 0.999 * squares[i] + 0.001 * d * d;
            double root = Math.sqrt(squares[i] / (1 - Math.pow(0.999, s)));
            p[i] -= 0.01 / (1 - Math.pow(0.9, s)) * mean[i] / (root + 1e-8);
          }
        }
        float[] actual = trainer.play.read(weight);
        for (int i = 0; i < p.length; i++) {
          assertThat((double) actual[i])
              .as("seed %d, weight %d", seed, i)
              .isCloseTo(p[i], within(1e-6 * (Math.abs(p[i]) + 0.04)));
        }
        assertClose(trainer.play.read(m), mean, "means of seed " + seed);
        assertClose(trainer.play.read(v), squares, "squares of seed " + seed);
      }
    }
  }

  /** Else they would come to rest at the smallest number there is, which takes its time. */
  @ParameterizedTest
  @EnumSource
  void meansThatNothingIsAddedToBecomeZero(Family family) {
    try (Trainer trainer = new Trainer(family, 1, 1)) {
      Tensor weight = trainer.play.filled(1, 37);
      Tensor zero = trainer.play.empty(1, 37);
      Tensor m = trainer.play.filled(1, 37);
      Tensor v = trainer.play.empty(1, 37);
      AdamStep step = new AdamStep();
      for (int s = 1; s < 1000; s++) trainer.grad.adamW(weight, zero, m, v, step.step(s));
      assertThat(trainer.play.read(m)).containsOnly(0);
      for (float number : trainer.play.read(weight)) assertThat(number).isFinite();
    }
  }

  @ParameterizedTest
  @EnumSource
  void gradientsAddUpAndBecomeZero(Family family) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Trainer trainer = new Trainer(family, 2, seed)) {
        int rows = trainer.play.random.nextInt(1, 8);
        int width = trainer.play.random.nextInt(1, 3000);
        Tensor base = trainer.play.filled(rows, width + 2);
        Tensor sum = seed % 2 == 0 ? base : base.columns(1, 1 + width);
        var more = new Tensor[trainer.play.random.nextInt(1, 5)];
        float[] expected = trainer.play.read(sum);
        for (int k = 0; k < more.length; k++) {
          more[k] = trainer.any(rows, sum.columns());
          float[] added = trainer.play.read(more[k]);
          for (int i = 0; i < expected.length; i++) expected[i] += added[i];
        }
        trainer.grad.add(sum, more);
        assertThat(trainer.play.read(sum)).as("seed %d", seed).isEqualTo(expected);
        float[] first = trainer.play.read(base.columns(0, 1));
        trainer.grad.zero(sum);
        assertThat(trainer.play.read(sum)).containsOnly(0);
        if (sum != base) assertThat(trainer.play.read(base.columns(0, 1))).isEqualTo(first);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsKeptInHalvesComesBackAsTheNearest(Family family) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Trainer trainer = new Trainer(family, 2, seed)) {
        int rows = trainer.play.random.nextInt(1, 8);
        int width = trainer.play.random.nextInt(1, 3000);
        float[] numbers = new float[rows * width];
        for (int i = 0; i < numbers.length; i++) {
          // Every pattern of bits may come, and often one that lies in the middle of two.
          int bits = trainer.play.random.nextInt();
          numbers[i] = Float.intBitsToFloat(i % 3 == 0 ? bits & 0xFFFF8000 | 0x8000 : bits);
        }
        Tensor x = trainer.any(rows, width);
        trainer.play.device.write(x, numbers, 0);
        Tensor halves = trainer.halves(rows, width);
        trainer.grad.round(halves, x);
        trainer.grad.zero(x);
        trainer.grad.widen(x, halves);
        float[] back = trainer.play.read(x);
        for (int i = 0; i < back.length; i++) {
          float nearest = Bf16Float.toFloat(Bf16Float.of(numbers[i]));
          assertThat(Float.floatToRawIntBits(back[i]))
              .as("%x", Float.floatToRawIntBits(numbers[i]))
              .isEqualTo(Float.floatToRawIntBits(nearest));
        }
      }
    }
  }

  private static Tensor bend(Trainer trainer) {
    int rows = trainer.play.random.nextInt(1, 5);
    int width = trainer.play.random.nextInt(1, 40);
    Tensor x = trainer.any(rows, width);
    trainer.play.ops.scale(x, x, 2);
    return x;
  }

  private static double[] slopes(DoubleUnaryOperator function, double[] x, double[] dy) {
    double step = 1e-4;
    double[] slopes = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      double above = function.applyAsDouble(x[i] + step);
      slopes[i] = dy[i] * (above - function.applyAsDouble(x[i] - step)) / (2 * step);
    }
    return slopes;
  }

  private static double[] onto(double[] slopes, boolean add, double[] was) {
    for (int i = 0; add && i < slopes.length; i++) slopes[i] += was[i];
    return slopes;
  }
}
