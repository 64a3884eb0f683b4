package dev.ridgeline.tensor.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.cpu.Fixture.Family;
import dev.ridgeline.tensor.cpu.Reference.Number;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Attention over a cache is causal attention, however its tokens came into it. */
class CacheTest {
  private static final int ANY = Integer.MAX_VALUE;

  /** Texts of random numbers, and what attention makes of them. */
  private record Case(
      Family family,
      TensorType type,
      int workers,
      long seed,
      int[] lengths,
      int heads,
      int keyHeads,
      int keyWidth,
      int valueWidth,
      float scale,
      int before) {
    int rows() {
      return Arrays.stream(lengths).sum();
    }

    float[] numbers(int columns, int salt) {
      Random random = new Random(31 * seed + salt);
      float[] numbers = new float[rows() * columns];
      for (int i = 0; i < numbers.length; i++) numbers[i] = (float) random.nextGaussian();
      return numbers;
    }

    float[] q() {
      return numbers(heads * keyWidth, 1);
    }

    float[] k() {
      return numbers(keyHeads * keyWidth, 2);
    }

    float[] v() {
      return numbers(keyHeads * valueWidth, 3);
    }

    Case on(int others) {
      return new Case(
          family,
          type,
          others,
          seed,
          lengths,
          heads,
          keyHeads,
          keyWidth,
          valueWidth,
          scale,
          before);
    }

    Case scaled(float other) {
      return new Case(
          family,
          type,
          workers,
          seed,
          lengths,
          heads,
          keyHeads,
          keyWidth,
          valueWidth,
          other,
          before);
    }

    Number[] expected() {
      float[] k = k();
      float[] v = v();
      if (type == TensorType.F16) {
        for (int i = 0; i < k.length; i++) k[i] = Float.float16ToFloat(Float.floatToFloat16(k[i]));
        for (int i = 0; i < v.length; i++) v[i] = Float.float16ToFloat(Float.floatToFloat16(v[i]));
      }
      return Reference.attention(
          q(), k, v, lengths, heads, keyHeads, keyWidth, valueWidth, scale, before, 0);
    }

    /** Attention with the cache, in steps of so many tokens of each text; random when 0. */
    float[] run(int step) {
      Random random = new Random(seed + step);
      try (Fixture play = new Fixture(family, workers, seed)) {
        int pages = 0;
        for (int length : lengths) pages += length / Device.PAGE + 1;
        Tensor keys = play.cache(Layout.KEYS, type, pages + 3, keyHeads, keyWidth);
        Tensor values = play.cache(Layout.VALUES, type, pages + 3, keyHeads, valueWidth);
        List<Integer> free = new ArrayList<>(IntStream.range(0, pages + 3).boxed().toList());
        Collections.shuffle(free, random);
        int[][] tables = new int[lengths.length][];
        int[] starts = new int[lengths.length];
        for (int t = 0, start = 0; t < lengths.length; start += lengths[t++]) {
          starts[t] = start;
          tables[t] =
              IntStream.range(0, lengths[t] / Device.PAGE + 1)
                  .map(_ -> free.removeFirst())
                  .toArray();
        }
        Tensor workspace = play.workspace(Arrays.stream(lengths).max().orElseThrow());
        Sequences texts = play.room(lengths.length, rows());
        Tensor qs = play.empty(rows(), heads * keyWidth);
        Tensor ks = play.empty(rows(), keyHeads * keyWidth);
        Tensor vs = play.empty(rows(), keyHeads * valueWidth);
        Tensor out = play.empty(rows(), heads * valueWidth);
        float[] q = q();
        float[] k = k();
        float[] v = v();
        float[] result = new float[rows() * heads * valueWidth];
        int[] done = new int[lengths.length];
        while (!Arrays.equals(done, lengths)) {
          texts.clear();
          List<Integer> rows = new ArrayList<>();
          for (int t = 0; t < lengths.length; t++) {
            int next = Math.min(lengths[t] - done[t], step > 0 ? step : random.nextInt(0, 50));
            if (next == 0) continue;
            texts.add(next, done[t], tables[t]);
            for (int i = 0; i < next; i++) rows.add(starts[t] + done[t]++);
          }
          if (rows.isEmpty()) continue;
          play.device.write(qs.rows(rows.size()), picked(q, rows, qs.columns()), 0);
          play.device.write(ks.rows(rows.size()), picked(k, rows, ks.columns()), 0);
          play.device.write(vs.rows(rows.size()), picked(v, rows, vs.columns()), 0);
          play.ops.store(keys, values, ks, vs, texts, keyHeads);
          play.ops.cachedAttention(
              out,
              qs,
              keys,
              values,
              texts,
              new Heads(heads, keyHeads, scale, before, 0),
              workspace);
          assertThat(out.rows()).isEqualTo(rows.size());
          for (int i = 0; i < rows.size(); i++) {
            play.device.read(out, i, result, rows.get(i) * out.columns());
          }
        }
        return result;
      }
    }

    private static float[] picked(float[] all, List<Integer> rows, int columns) {
      float[] some = new float[rows.size() * columns];
      for (int i = 0; i < rows.size(); i++) {
        System.arraycopy(all, rows.get(i) * columns, some, i * columns, columns);
      }
      return some;
    }
  }

  private static Case random(Family family, TensorType type, long seed) {
    Random random = new Random(seed);
    int[] lengths = random.ints(random.nextInt(1, 5), 1, 140).toArray();
    int keyHeads = random.nextInt(1, 4);
    int heads = keyHeads * random.nextInt(1, 11);
    int before = random.nextBoolean() ? ANY : random.nextInt(0, 70);
    int keyWidth = random.nextInt(1, 70);
    int valueWidth = random.nextBoolean() ? keyWidth : random.nextInt(1, 70);
    int workers = 1 + (int) (seed % 3);
    return new Case(
        family, type, workers, seed, lengths, heads, keyHeads, keyWidth, valueWidth, 0.3f, before);
  }

  @ParameterizedTest
  @EnumSource
  void attentionOverACacheIsThatOfTheTextbook(Family family) {
    for (int seed = 0; seed < 12; seed++) {
      TensorType type = seed % 2 == 0 ? TensorType.F32 : TensorType.F16;
      Case plain = random(family, type, seed);
      // Scores are rounded to f32 before the exponential.
      Reference.assertClose(plain.run(0), plain.expected(), 5e-6, "seed " + seed);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theStepsOfAPromptChangeNoBit(Family family) {
    for (int seed = 0; seed < 6; seed++) {
      Case plain = random(family, seed % 2 == 0 ? TensorType.F32 : TensorType.F16, seed);
      float[] whole = plain.run(1_000);
      for (int step : new int[] {0, 1, 7, 32, 64}) {
        assertThat(plain.run(step)).as("seed %d, steps of %d", seed, step).isEqualTo(whole);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void workersChangeNoBit(Family family) {
    for (int seed = 0; seed < 6; seed++) {
      Case plain = random(family, seed % 2 == 0 ? TensorType.F16 : TensorType.F32, seed);
      float[] alone = plain.on(1).run(20);
      for (int workers : new int[] {2, 7}) {
        assertThat(plain.on(workers).run(20)).as("seed %d", seed).isEqualTo(alone);
      }
    }
  }

  /** The cache scales queries where the plain attention scales keys: a power of two is exact. */
  @ParameterizedTest
  @EnumSource
  void withACacheOfF32ItIsThatWithoutToTheBit(Family family) {
    for (int seed = 0; seed < 6; seed++) {
      Case plain = random(family, TensorType.F32, seed).scaled(0.25f);
      int rows = plain.rows();
      try (Fixture play = new Fixture(family, 2, seed)) {
        Tensor q = play.of(rows, plain.heads * plain.keyWidth, plain.q());
        Tensor k = play.of(rows, plain.keyHeads * plain.keyWidth, plain.k());
        Tensor v = play.of(rows, plain.keyHeads * plain.valueWidth, plain.v());
        Tensor out = play.empty(rows, plain.heads * plain.valueWidth);
        play.ops.attention(
            out,
            q,
            k,
            v,
            play.texts(plain.lengths),
            new Heads(plain.heads, plain.keyHeads, plain.scale, plain.before, 0),
            play.workspace(200));
        assertThat(plain.run(17)).as("seed %d", seed).isEqualTo(play.read(out));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLongTextIsTiledToWhatTheCoresCacheHolds(Family family) {
    int[] lengths = {2_100};
    Case longest = new Case(family, TensorType.F32, 2, 4, lengths, 18, 2, 2, 3, 0.5f, ANY);
    Reference.assertClose(longest.run(900), longest.expected(), 5e-6, "long");
  }

  @Test
  void aCopiedPageServesTwoTexts() {
    try (Fixture play = new Fixture(2, 1)) {
      Tensor keys = play.cache(Layout.KEYS, TensorType.F16, 3, 2, 8);
      Tensor values = play.cache(Layout.VALUES, TensorType.F16, 3, 2, 8);
      Tensor x = play.filled(5, 16);
      Sequences texts = play.room(2, 5);
      texts.add(5, 0, new int[] {2});
      play.ops.store(keys, values, x, x, texts, 2);
      play.ops.copyPage(keys, 2, 0);
      play.ops.copyPage(values, 2, 0);
      texts.clear();
      // The same token goes on from either page.
      texts.add(1, 5, new int[] {2});
      texts.add(1, 5, new int[] {0});
      float[] token = play.numbers(16);
      float[] both = Arrays.copyOf(token, 32);
      System.arraycopy(token, 0, both, 16, 16);
      Tensor next = play.of(2, 16, both);
      play.ops.store(keys, values, next, next, texts, 2);
      Tensor out = play.empty(2, 16);
      play.ops.cachedAttention(
          out, next, keys, values, texts, new Heads(2, 2, 1, ANY, 0), play.workspace(6));
      float[] read = play.read(out);
      assertThat(Arrays.copyOf(read, 16)).isEqualTo(Arrays.copyOfRange(read, 16, 32));
      assertThat(read).doesNotContain(0);
    }
  }

  /** What pages held before, even if it is no number, is nobody's business. */
  @ParameterizedTest
  @EnumSource
  void whatAPageHeldBeforeIsNotSeen(Family family) {
    try (Fixture play = new Fixture(family, 1, 1)) {
      Tensor keys = play.cache(Layout.KEYS, TensorType.F32, 2, 1, 8);
      Tensor values = play.cache(Layout.VALUES, TensorType.F32, 2, 1, 8);
      float[] sick = new float[64 * 8];
      Arrays.fill(sick, Float.NaN);
      Tensor old = play.of(64, 8, sick);
      Sequences texts = play.room(1, 64);
      int[] pages = {1, 0};
      texts.add(64, 0, pages);
      play.ops.store(keys, values, old, old, texts, 1);
      texts.clear();
      texts.add(37, 0, pages);
      Tensor x = play.filled(37, 8);
      play.ops.store(keys, values, x, x, texts, 1);
      Tensor out = play.empty(37, 8);
      play.ops.cachedAttention(
          out, x, keys, values, texts, new Heads(1, 1, 1, ANY, 0), play.workspace(64));
      for (float number : play.read(out)) assertThat(number).isFinite();
    }
  }
}
