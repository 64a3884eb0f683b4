package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A ring of scope changes, read while it is written. */
class TimelineTest {
  private static final long THREAD = 77;

  @Test
  void theLastChangeBeforeATimeCounts() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Timeline timeline = timeline(64);
    TreeMap<Long, Integer> truth = new TreeMap<>();
    // Times of nanoTime may be negative and may wrap.
    long start = Long.MAX_VALUE - 500;
    long since = 0;
    for (int i = 0; i < 64; i++) {
      since += random.nextInt(40);
      int node = random.nextInt(10) - 1;
      timeline.add(start + since, node);
      truth.put(since, node);
    }
    for (long t = truth.firstEntry().getKey(); t < since + 10; t++) {
      long oldestSeen = truth.firstKey();
      if (t <= oldestSeen + 40) continue;
      assertThat(timeline.at(start + t, THREAD))
          .as("seed %d, time %d", seed, t)
          .isEqualTo(truth.floorEntry(t).getValue());
    }
  }

  @Test
  void beforeItsFirstChangeNobodyWasHere() {
    Timeline timeline = timeline(64);
    assertThat(timeline.at(5, THREAD)).isEqualTo(Timeline.ELSEWHERE);
    timeline.add(10, 3);
    assertThat(timeline.at(9, THREAD)).isEqualTo(Timeline.ELSEWHERE);
    assertThat(timeline.at(10, THREAD)).isEqualTo(3);
  }

  @Test
  void whatWasWrittenOverIsOutOfReach() {
    Timeline timeline = timeline(64);
    for (int i = 0; i < 200; i++) timeline.add(i, i);
    assertThat(timeline.at(100, THREAD)).isEqualTo(Timeline.OUT_OF_REACH);
    assertThat(timeline.at(199 - 62, THREAD)).isEqualTo(199 - 62);
    assertThat(timeline.at(1000, THREAD)).isEqualTo(199);
  }

  @Test
  void anotherThreadsTimeIsNotMine() {
    Timeline timeline = timeline(64);
    timeline.add(10, 3);
    timeline.add(20, -1);
    timeline.setThread(78);
    timeline.add(30, 4);
    assertThat(timeline.at(15, THREAD)).isEqualTo(3);
    assertThat(timeline.at(25, THREAD)).isEqualTo(-1);
    assertThat(timeline.at(35, THREAD)).isEqualTo(Timeline.ELSEWHERE);
    assertThat(timeline.at(35, 78)).isEqualTo(4);
    assertThat(timeline.at(15, 78)).isEqualTo(Timeline.ELSEWHERE);
  }

  @Test
  void aLargerRingKnowsWhatTheSmallerDid() {
    Timeline timeline = timeline(64);
    for (int i = 0; i < 100; i++) timeline.add(i, i);
    assertThat(timeline.wantsMore()).isTrue();
    Timeline more = timeline.grown();
    assertThat(more.capacity()).isEqualTo(128);
    for (int i = 100; i < 150; i++) more.add(i, i);
    for (int t = 36; t < 150; t++) assertThat(more.at(t, THREAD)).isEqualTo(t);
    assertThat(more.at(20, THREAD)).isEqualTo(Timeline.OUT_OF_REACH);
  }

  @Test
  void aRingThatReachesFarEnoughStaysAsItIs() {
    Timeline timeline = timeline(64);
    for (int i = 0; i < 100; i++) timeline.add(i * 1_000_000_000L, i);
    assertThat(timeline.wantsMore()).isFalse();
  }

  @Test
  void aReaderOfABusyRingIsNeverToldWrong() throws InterruptedException {
    Timeline timeline = timeline(1024);
    AtomicBoolean done = new AtomicBoolean();
    // At time t the node is t modulo a billion, which takes the writer seconds: any answer can be
    // checked by itself, and a reader that had to wait for a processor still knows the time.
    int turn = 1_000_000_000;
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (long t = 0; !done.get(); t++) timeline.add(t, (int) (t % turn));
                });
    long seed = System.nanoTime();
    Random random = new Random(seed);
    long answered = 0;
    long newest = 0;
    for (int i = 0; i < 2_000_000; i++) {
      int now = timeline.at(Long.MAX_VALUE / 2, THREAD);
      if (now < 0) continue;
      newest = newest - newest % turn + now + (now < newest % turn ? turn : 0);
      long asked = Math.max(0, newest - random.nextInt(1200));
      int node = timeline.at(asked, THREAD);
      if (node == Timeline.OUT_OF_REACH) continue;
      answered++;
      assertThat(node).as("seed %d", seed).isEqualTo((int) (asked % turn));
    }
    done.set(true);
    writer.join();
    assertThat(answered).isPositive();
  }

  private static Timeline timeline(int capacity) {
    Timeline timeline = new Timeline(capacity);
    timeline.setThread(THREAD);
    return timeline;
  }
}
