package dev.ridgeline.tensor.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Angles;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Pooled;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.cpu.Reference.Number;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operations against textbook formulas in double, on random shapes, spread over workers. */
class OpsTest {
  /** One rounding to f32 of each number of a sum in double. */
  private static final double EXACT = 1e-7;

  private static final int ANY = Integer.MAX_VALUE;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "I32")
  void aProductIsThatOfTheDecodedWeights(TensorType type) {
    for (int seed = 0; seed < 12; seed++) {
      try (Fixture play = new Fixture(1 + seed % 4, seed)) {
        int inputs = type.blockSize() * play.random.nextInt(1, 4) + (type.quantized() ? 0 : seed);
        int outputs = play.random.nextInt(1, 100);
        int rows = play.random.nextInt(1, 40);
        GgufTensor stored = play.stored(type, outputs, inputs, play.numbers(outputs * inputs));
        float[] bias = seed % 2 == 0 ? null : play.numbers(outputs);
        Tensor x = play.filled(rows, inputs);
        Tensor out = play.empty(rows + 3, outputs);
        play.ops.matmul(
            out, x, play.weights(stored, Layout.MATRIX), bias == null ? null : play.vector(bias));
        assertThat(out.rows()).isEqualTo(rows);
        Number[] expected =
            Reference.matmul(play.read(x), play.decoded(stored), bias, rows, outputs, inputs);
        Reference.assertClose(play.read(out), expected, EXACT, "seed " + seed);
      }
    }
  }

  @Test
  void aProductOfColumnsIsThatOfACopy() {
    try (Fixture play = new Fixture(2, 3)) {
      Tensor wide = play.filled(9, 50);
      Tensor part = wide.columns(7, 27);
      Tensor copy = play.of(9, 20, play.read(part));
      Tensor matrix =
          play.weights(play.stored(TensorType.F32, 33, 20, play.numbers(660)), Layout.MATRIX);
      Tensor all = play.empty(9, 100);
      float[] around = play.read(all);
      Tensor a = all.columns(40, 73);
      Tensor b = play.empty(9, 33);
      play.ops.matmul(a, part, matrix, null);
      play.ops.matmul(b, copy, matrix, null);
      assertThat(play.read(a)).isEqualTo(play.read(b));
      assertThat(play.read(all.columns(0, 40))).containsOnly(0);
      assertThat(play.read(all.columns(73, 100))).containsOnly(0);
      assertThat(around).containsOnly(0);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "I32")
  void rowsAreLookedUpAndDecoded(TensorType type) {
    try (Fixture play = new Fixture(3, 11)) {
      int columns = 256;
      GgufTensor stored = play.stored(type, 20, columns, play.numbers(20 * columns));
      float[] decoded = play.decoded(stored);
      int[] ids = play.random.ints(50, 0, 20).toArray();
      Tensor out = play.empty(50, columns);
      play.ops.rows(out, play.weights(stored, Layout.ROWS), play.integers(ids));
      float[] read = play.read(out);
      for (int r = 0; r < 50; r++) {
        assertThat(Arrays.copyOfRange(read, r * columns, (r + 1) * columns))
            .isEqualTo(Arrays.copyOfRange(decoded, ids[r] * columns, (ids[r] + 1) * columns));
      }
    }
  }

  @Test
  void anIdBeyondTheTableIsRefused() {
    try (Fixture play = new Fixture(2, 1)) {
      Tensor table = play.weights(play.stored(TensorType.F32, 4, 8, play.numbers(32)), Layout.ROWS);
      for (int bad : new int[] {4, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
        assertThatThrownBy(() -> play.ops.rows(play.empty(3, 8), table, play.integers(1, bad, 2)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("rows: id " + bad + " at row 1");
      }
    }
  }

  @Test
  void rowByRowOperationsAreTheirFormulas() {
    for (int seed = 0; seed < 30; seed++) {
      try (Fixture play = new Fixture(1 + seed % 4, seed)) {
        int rows = play.random.nextInt(1, 30);
        int columns = play.random.nextInt(1, 70);
        Tensor whole = play.filled(rows, columns + 9);
        // Every third time a range of columns, whose rows do not follow each other.
        Tensor a = seed % 3 == 0 ? whole.columns(4, 4 + columns) : play.filled(rows, columns);
        Tensor b = play.filled(rows, columns);
        float[] weight = play.numbers(columns);
        float[] bias = play.numbers(columns);
        float[] x = play.read(a);
        float[] y = play.read(b);
        Tensor out = play.empty(rows, columns);
        Number[] expected = new Number[x.length];
        String what = "seed " + seed;

        play.ops.add(out, a, b);
        for (int i = 0; i < x.length; i++) expected[i] = Number.of((double) x[i] + y[i]);
        Reference.assertClose(play.read(out), expected, EXACT, what + " add");

        play.ops.add(out, a, play.vector(bias));
        for (int i = 0; i < x.length; i++) {
          expected[i] = Number.of((double) x[i] + bias[i % columns]);
        }
        Reference.assertClose(play.read(out), expected, EXACT, what + " add a vector");

        play.ops.multiply(out, a, b);
        for (int i = 0; i < x.length; i++) expected[i] = Number.of((double) x[i] * y[i]);
        Reference.assertClose(play.read(out), expected, EXACT, what + " multiply");

        play.ops.softmax(out, a);
        for (int i = 0; i < x.length; i++) expected[i] = softmax(x, i, columns);
        // The difference from the largest number is rounded to f32 before the exponential.
        Reference.assertClose(play.read(out), expected, 5 * EXACT, what + " softmax");

        play.ops.scale(out, a, 0.37f);
        for (int i = 0; i < x.length; i++) expected[i] = Number.of((double) x[i] * 0.37f);
        Reference.assertClose(play.read(out), expected, EXACT, what + " scale");

        play.ops.layerNorm(out, a, play.vector(weight), play.vector(bias), 1e-5f);
        for (int i = 0; i < x.length; i++) expected[i] = layerNorm(x, i, columns, weight, bias);
        Reference.assertClose(play.read(out), expected, EXACT, what + " layer norm");

        play.ops.rmsNorm(out, a, play.vector(weight), 1e-6f);
        for (int i = 0; i < x.length; i++) expected[i] = rmsNorm(x, i, columns, weight);
        Reference.assertClose(play.read(out), expected, EXACT, what + " rms norm");

        play.ops.apply(Activation.GELU_TANH, out, a, b);
        for (int i = 0; i < x.length; i++) expected[i] = geglu(x[i], y[i]);
        Reference.assertClose(play.read(out), expected, EXACT, what + " geglu");

        play.ops.apply(Activation.GELU_TANH, out, a);
        for (int i = 0; i < x.length; i++) expected[i] = geglu(x[i], 1);
        Reference.assertClose(play.read(out), expected, EXACT, what + " gelu by tanh");

        play.ops.apply(Activation.SILU, out, a, b);
        for (int i = 0; i < x.length; i++) {
          expected[i] = Number.of(x[i] / (1 + Math.exp(-x[i])) * y[i]);
        }
        Reference.assertClose(play.read(out), expected, EXACT, what + " swiglu");

        play.ops.normalize(out, a);
        for (int i = 0; i < x.length; i++) {
          double squares = 0;
          for (int j = i / columns * columns; j < (i / columns + 1) * columns; j++) {
            squares += (double) x[j] * x[j];
          }
          expected[i] = Number.of(x[i] / Math.sqrt(squares));
        }
        Reference.assertClose(play.read(out), expected, EXACT, what + " normalize");
      }
    }
  }

  private static Number softmax(float[] x, int i, int columns) {
    int row = i / columns * columns;
    double sum = 0;
    for (int j = 0; j < columns; j++) sum += Math.exp(x[row + j]);
    return Number.of(Math.exp(x[i]) / sum);
  }

  private static Number layerNorm(float[] x, int i, int columns, float[] weight, float[] bias) {
    int row = i / columns * columns;
    double mean = 0;
    for (int j = 0; j < columns; j++) mean += x[row + j] / (double) columns;
    double variance = 0;
    for (int j = 0; j < columns; j++) variance += Math.pow(x[row + j] - mean, 2) / columns;
    double scaled = (x[i] - mean) / Math.sqrt(variance + 1e-5f) * weight[i - row];
    double magnitude = Math.abs(scaled) + Math.abs(bias[i - row]) + 1e-3;
    return new Number(scaled + bias[i - row], magnitude);
  }

  private static Number rmsNorm(float[] x, int i, int columns, float[] weight) {
    int row = i / columns * columns;
    double squares = 0;
    for (int j = 0; j < columns; j++) squares += (double) x[row + j] * x[row + j];
    return Number.of(x[i] / Math.sqrt(squares / columns + 1e-6f) * weight[i - row]);
  }

  private static Number geglu(float gate, float up) {
    double inner = Math.sqrt(2 / Math.PI) * (gate + 0.044715 * Math.pow(gate, 3));
    double value = 0.5 * gate * (1 + Math.tanh(inner)) * up;
    return new Number(value, Math.abs(value) + 1e-9 * Math.abs(gate * (double) up));
  }

  @Test
  void geluIsTheNormalDistributionTimesItsArgument() {
    try (Fixture play = new Fixture(2, 5)) {
      float[] x = new float[400];
      for (int i = 0; i < x.length; i++) x[i] = (i - 200) / 20f;
      Tensor out = play.empty(20, 20);
      play.ops.apply(Activation.GELU, out, play.of(20, 20, x));
      Number[] expected = new Number[x.length];
      for (int i = 0; i < x.length; i++) {
        expected[i] = Number.of(x[i] * Reference.normalBelow(x[i]));
      }
      Reference.assertClose(play.read(out), expected, EXACT, "gelu");
    }
  }

  @Test
  void theSoftmaxOfARowMayTakeItsPlace() {
    try (Fixture play = new Fixture(2, 7)) {
      Tensor whole = play.filled(9, 50);
      Tensor x = whole.columns(3, 40);
      float[] outside = play.read(whole.columns(40, 50));
      Tensor out = play.empty(9, 37);
      play.ops.softmax(out, x);
      play.ops.softmax(x, x);
      assertThat(play.read(x)).isEqualTo(play.read(out));
      assertThat(play.read(whole.columns(40, 50))).isEqualTo(outside);
    }
  }

  @Test
  void headsAreNormalizedByThemselves() {
    try (Fixture play = new Fixture(2, 6)) {
      float[] weight = play.numbers(8);
      Tensor whole = play.filled(11, 40);
      Tensor x = whole.columns(8, 32);
      float[] before = play.read(x);
      float[] outside = play.read(whole.columns(32, 40));
      play.ops.rmsNormHeads(x, 3, play.vector(weight), 1e-6f);
      Number[] expected = new Number[before.length];
      for (int i = 0; i < before.length; i++) expected[i] = rmsNorm(before, i, 8, weight);
      Reference.assertClose(play.read(x), expected, EXACT, "heads");
      assertThat(play.read(whole.columns(32, 40))).isEqualTo(outside);
    }
  }

  @Test
  void headsAreTurnedByTheirPosition() {
    try (Fixture play = new Fixture(3, 8)) {
      int width = 6;
      Tensor angles = Angles.of(play.device, "test", 40, width, 10_000, 0.5, null);
      int[] positions = play.random.ints(9, 0, 40).toArray();
      Tensor x = play.filled(9, 2 * width);
      float[] before = play.read(x);
      play.ops.rope(x, 2, play.integers(positions), angles, Pairing.HALVES);
      Number[] expected = new Number[before.length];
      for (int i = 0; i < before.length; i++) {
        int inHead = i % width;
        int j = inHead % 3;
        double angle = positions[i / (2 * width)] * 0.5 * Math.pow(10_000, -2.0 * j / width);
        double a = before[i - inHead + j] * Math.cos(angle);
        double b = before[i - inHead + j + 3] * Math.sin(angle);
        double value = inHead < 3 ? a - b : 0;
        if (inHead >= 3) {
          a = before[i - inHead + j] * Math.sin(angle);
          b = before[i] * Math.cos(angle);
          value = a + b;
        }
        expected[i] = new Number(value, Math.abs(before[i - inHead + j]) + Math.abs(before[i]) + 1);
      }
      Reference.assertClose(play.read(x), expected, 2 * EXACT, "rope");
      assertThatThrownBy(
              () -> play.ops.rope(x.rows(1), 2, play.integers(40), angles, Pairing.HALVES))
          .hasMessageContaining("rope: position 40 at row 0; there are angles for 40");
      angles.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void partsOfHeadsAreTurnedWithAFactorForEachFrequency(Pairing pairing) {
    try (Fixture play = new Fixture(3, 8)) {
      int width = 9;
      float[] factors = {1, 8, 2.5f};
      Tensor angles = Angles.of(play.device, "test", 40, 6, 500_000, 1, factors);
      int[] positions = play.random.ints(7, 0, 40).toArray();
      Tensor x = play.filled(7, 2 * width);
      float[] before = play.read(x);
      play.ops.rope(x, 2, play.integers(positions), angles, pairing);
      Number[] expected = new Number[before.length];
      for (int i = 0; i < before.length; i++) expected[i] = Number.of(before[i]);
      for (int head = 0; head < 14; head++) {
        for (int j = 0; j < 3; j++) {
          double angle = positions[head / 2] * Math.pow(500_000, -j / 3.0) / factors[j];
          int first = head * width + (pairing == Pairing.HALVES ? j : 2 * j);
          int second = first + (pairing == Pairing.HALVES ? 3 : 1);
          double a = before[first];
          double b = before[second];
          double size = Math.abs(a) + Math.abs(b);
          expected[first] = new Number(a * Math.cos(angle) - b * Math.sin(angle), size);
          expected[second] = new Number(a * Math.sin(angle) + b * Math.cos(angle), size);
        }
      }
      Reference.assertClose(play.read(x), expected, 2 * EXACT, pairing.name());
      angles.close();
      assertThatThrownBy(() -> Angles.of(play.device, "test", 4, 8, 10_000, 1, factors))
          .hasMessage("3 factors for 4 frequencies");
    }
  }

  @Test
  void attentionIsThatOfEachTextAlone() {
    for (int seed = 0; seed < 40; seed++) {
      try (Fixture play = new Fixture(1 + seed % 4, seed)) {
        Random random = play.random;
        int keyHeads = random.nextInt(1, 4);
        int heads = keyHeads * random.nextInt(1, 4);
        int width = random.nextInt(1, 20);
        int[] lengths = random.ints(random.nextInt(1, 6), 1, 90).toArray();
        int before = random.nextBoolean() ? ANY : random.nextInt(0, 50);
        int after = random.nextBoolean() ? ANY : random.nextInt(0, 50);
        int rows = Arrays.stream(lengths).sum();
        Tensor qkv = play.filled(rows, (heads + 2 * keyHeads) * width);
        Tensor q = qkv.columns(0, heads * width);
        Tensor k = qkv.columns(heads * width, (heads + keyHeads) * width);
        Tensor v = qkv.columns((heads + keyHeads) * width, (heads + 2 * keyHeads) * width);
        Tensor out = play.empty(rows, heads * width);
        play.ops.attention(
            out,
            q,
            k,
            v,
            play.texts(lengths),
            new Heads(heads, keyHeads, 0.3f, before, after),
            play.workspace(100));
        Number[] expected =
            Reference.attention(
                play.read(q),
                play.read(k),
                play.read(v),
                lengths,
                heads,
                keyHeads,
                width,
                width,
                0.3f,
                before,
                after);
        // Scores are rounded to f32 before the exponential.
        Reference.assertClose(play.read(out), expected, 5e-6, "seed " + seed);
      }
    }
  }

  @Test
  void aLongTextIsTiledToWhatTheCacheHolds() {
    try (Fixture play = new Fixture(2, 9)) {
      int length = 2_500;
      Tensor q = play.filled(length, 4);
      Tensor k = play.filled(length, 4);
      Tensor v = play.filled(length, 4);
      Tensor out = play.empty(length, 4);
      Tensor workspace = play.workspace(length);
      assertThat(workspace.columns()).isEqualTo(1 << 17);
      int[] lengths = {length};
      play.ops.attention(
          out, q, k, v, play.texts(lengths), new Heads(2, 2, 1, ANY, ANY), workspace);
      Number[] expected =
          Reference.attention(
              play.read(q), play.read(k), play.read(v), lengths, 2, 2, 2, 2, 1, ANY, ANY);
      Reference.assertClose(play.read(out), expected, 5e-6, "long");
    }
  }

  @Test
  void textsArePooledByThemselves() {
    try (Fixture play = new Fixture(3, 4)) {
      int[] lengths = {1, 5, 2, 9, 1};
      Sequences texts = play.texts(lengths);
      Tensor x = play.filled(18, 7);
      float[] numbers = play.read(x);
      Tensor out = play.empty(8, 7);
      Number[] mean = new Number[35];
      float[] first = new float[35];
      float[] last = new float[35];
      int start = 0;
      for (int t = 0; t < 5; t++) {
        for (int c = 0; c < 7; c++) {
          double sum = 0;
          double magnitude = 0;
          for (int r = start; r < start + lengths[t]; r++) {
            sum += numbers[r * 7 + c];
            magnitude += Math.abs(numbers[r * 7 + c]);
          }
          mean[t * 7 + c] = new Number(sum / lengths[t], magnitude / lengths[t]);
          first[t * 7 + c] = numbers[start * 7 + c];
          last[t * 7 + c] = numbers[(start + lengths[t] - 1) * 7 + c];
        }
        start += lengths[t];
      }
      play.ops.pool(Pooled.MEAN, out, x, texts);
      assertThat(out.rows()).isEqualTo(5);
      Reference.assertClose(play.read(out), mean, EXACT, "mean");
      play.ops.pool(Pooled.FIRST, out, x, texts);
      assertThat(play.read(out)).isEqualTo(first);
      play.ops.pool(Pooled.LAST, out, x, texts);
      assertThat(play.read(out)).isEqualTo(last);
    }
  }

  @Test
  void aRowOfZerosStaysOne() {
    try (Fixture play = new Fixture(1, 1)) {
      Tensor out = play.empty(2, 5);
      play.ops.normalize(out, play.empty(2, 5));
      assertThat(play.read(out)).containsOnly(0);
    }
  }

  @Test
  void anEmptyBatchIsNoWork() {
    try (Fixture play = new Fixture(2, 1)) {
      Tensor x = play.empty(4, 8).rows(0);
      Tensor out = play.empty(4, 8);
      play.ops.apply(Activation.GELU, out, x);
      assertThat(out.rows()).isZero();
    }
  }
}
