package dev.ridgeline.profiler;

import java.util.Arrays;

/**
 * Durations counted in logarithmic buckets, eight to each power of two, so that any percentile is
 * known to about 6 %. Immutable.
 */
public final class Histogram {
  /** Buckets below 8 ns are exact; the last one takes everything above about 73 minutes. */
  static final int BUCKETS = 320;

  /** A histogram without a call. */
  public static final Histogram EMPTY = new Histogram(0, new long[0]);

  private final int first;
  private final long[] counts;

  private Histogram(int first, long[] counts) {
    this.first = first;
    this.counts = counts;
  }

  /** Trims {@code counts}, whose first element is bucket {@code first}, to what is not zero. */
  public static Histogram of(int first, long... counts) {
    int from = 0;
    int to = counts.length;
    while (from < to && counts[from] == 0) from++;
    while (to > from && counts[to - 1] == 0) to--;
    if (from == to) return EMPTY;
    if (first + from < 0 || first + to > BUCKETS) {
      throw new IllegalArgumentException("buckets " + (first + from) + ".." + (first + to));
    }
    return new Histogram(first + from, Arrays.copyOfRange(counts, from, to));
  }

  /** The bucket of a duration. */
  static int bucket(long nanos) {
    if (nanos < 8) return nanos < 0 ? 0 : (int) nanos;
    int exponent = 63 - Long.numberOfLeadingZeros(nanos);
    int bucket = ((exponent - 2) << 3) + (int) ((nanos >>> (exponent - 3)) & 7);
    return Math.min(bucket, BUCKETS - 1);
  }

  /** The smallest duration that falls into a bucket. */
  static long lowerBound(int bucket) {
    if (bucket < 8) return bucket;
    return (8L + (bucket & 7)) << ((bucket >>> 3) - 1);
  }

  /** Index of the first bucket that is not empty. */
  public int first() {
    return first;
  }

  /** Counts from the first to the last bucket that is not empty. */
  public long[] counts() {
    return counts.clone();
  }

  /** All calls. */
  public long total() {
    long sum = 0;
    for (long count : counts) sum += count;
    return sum;
  }

  /** This and another histogram together. */
  public Histogram plus(Histogram other) {
    if (counts.length == 0) return other;
    if (other.counts.length == 0) return this;
    int from = Math.min(first, other.first);
    int to = Math.max(first + counts.length, other.first + other.counts.length);
    long[] sum = new long[to - from];
    for (int i = 0; i < counts.length; i++) sum[first - from + i] += counts[i];
    for (int i = 0; i < other.counts.length; i++) sum[other.first - from + i] += other.counts[i];
    return new Histogram(from, sum);
  }

  /**
   * The duration that the fraction {@code quantile} of calls does not exceed, interpolated inside
   * its bucket; 0 when there are no calls. Callers clamp it to the measured minimum and maximum.
   */
  public long percentile(double quantile) {
    long total = total();
    if (total == 0) return 0;
    double rank = quantile * total;
    long below = 0;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0 && below + counts[i] >= rank) {
        long low = lowerBound(first + i);
        long high = lowerBound(first + i + 1);
        double inside = Math.max(0, rank - below) / counts[i];
        return low + (long) ((high - low - 1) * inside);
      }
      below += counts[i];
    }
    return lowerBound(first + counts.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Histogram h && h.first == first && Arrays.equals(h.counts, counts);
  }

  @Override
  public int hashCode() {
    return 31 * first + Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    return "Histogram[" + total() + " calls]";
  }
}
