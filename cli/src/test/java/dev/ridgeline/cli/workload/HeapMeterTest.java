package dev.ridgeline.cli.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.PrimitiveIterator;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HeapMeterTest {
  private static LongSupplier each(long... readings) {
    PrimitiveIterator.OfLong next = LongStream.of(readings).iterator();
    return next::nextLong;
  }

  @Test
  void whatTheProfilerAllocatedIsNotTheProgramsHoweverOftenItLooked() {
    HeapMeter heap =
        new HeapMeter(each(10_000, 10_700, 10_760), each(400, 400, 1_100, 1_100, 1_100, 1_100));
    long before = heap.bytes();
    assertThat(heap.bytes() - before).as("700 bytes of a look").isZero();
    assertThat(heap.bytes() - before).as("and 60 of the program").isEqualTo(60);
  }

  @Test
  void aLookBetweenTwoReadingsMakesItReadAgain() {
    HeapMeter heap = new HeapMeter(each(10_000, 10_700), each(400, 1_100, 1_100));
    assertThat(heap.bytes()).isEqualTo(9_600);
  }

  @Test
  void aProfilerThatNeverRestsIsNotWaitedFor() {
    long[] own = {0};
    HeapMeter heap = new HeapMeter(() -> 10_000, () -> own[0]++);
    assertThat(heap.bytes()).isPositive();
  }
}
