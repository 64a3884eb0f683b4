package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HistogramTest {
  @Test
  void everyDurationLiesInItsBucket() {
    Random random = new Random(1);
    for (int i = 0; i < 200_000; i++) {
      long nanos = random.nextLong() >>> (22 + random.nextInt(42));
      int bucket = Histogram.bucket(nanos);
      assertThat(Histogram.lowerBound(bucket)).isLessThanOrEqualTo(nanos);
      if (bucket < Histogram.BUCKETS - 1) {
        assertThat(Histogram.lowerBound(bucket + 1)).isGreaterThan(nanos);
      }
    }
    assertThat(Histogram.bucket(-5)).isZero();
    assertThat(Histogram.bucket(Long.MAX_VALUE)).isEqualTo(Histogram.BUCKETS - 1);
  }

  @Test
  void percentilesAreRightToOneBucket() {
    Random random = new Random(2);
    long[] durations = new long[20_000];
    long[] counts = new long[Histogram.BUCKETS];
    for (int i = 0; i < durations.length; i++) {
      durations[i] = (long) Math.exp(10 + 2 * random.nextGaussian());
      counts[Histogram.bucket(durations[i])]++;
    }
    Arrays.sort(durations);
    Histogram histogram = Histogram.of(0, counts);
    for (double quantile : new double[] {0.01, 0.5, 0.9, 0.99, 0.999}) {
      long exact = durations[(int) (quantile * durations.length)];
      assertThat((double) histogram.percentile(quantile) / exact)
          .as("p%s", quantile * 100)
          .isCloseTo(1, within(0.13));
    }
  }

  @Test
  void addingKeepsEveryCall() {
    Random random = new Random(3);
    for (int i = 0; i < 500; i++) {
      Histogram a = random(random);
      Histogram b = random(random);
      Histogram sum = a.plus(b);
      assertThat(sum.total()).isEqualTo(a.total() + b.total());
      assertThat(sum).isEqualTo(b.plus(a));
      assertThat(Histogram.of(sum.first(), sum.counts())).isEqualTo(sum);
    }
    assertThat(Histogram.EMPTY.percentile(0.5)).isZero();
  }

  private static Histogram random(Random random) {
    long[] counts = new long[random.nextInt(20)];
    for (int i = 0; i < counts.length; i++) counts[i] = random.nextInt(3);
    return Histogram.of(random.nextInt(300), counts);
  }

  @Test
  void countsPastFourBillionCarryOver() {
    LiveNode node = new LiveNode(null, Scope.of("a"), 0, null);
    node.histogram[5] = -1;
    node.add(5);
    node.add(5);
    assertThat(node.histogram().counts()).containsExactly((1L << 32) + 1);
  }
}
