package dev.ridgeline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.model.pass.KvCache;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.TensorType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KvCacheTest {
  private static final KvCache.Shape SHAPE = new KvCache.Shape(3, 2, 8, 16);

  private final Device device = Device.cpu(1);
  private final KvCache cache = new KvCache(device, SHAPE, TensorType.F16, 10);

  @AfterEach
  void close() {
    cache.close();
    device.close();
  }

  @Test
  void pagesAreTakenOnceAndAgainWhenReleased() {
    HashSet<Integer> taken = new HashSet<>();
    while (cache.free() > 0) taken.add(cache.take());
    assertThat(taken).hasSize(10).allMatch(page -> page >= 0 && page < 10);
    assertThatThrownBy(cache::take)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("all 10 pages of the cache are held");
    cache.release(4);
    assertThat(cache.take()).isEqualTo(4);
  }

  @Test
  void aSharedPageIsFreeWhenAllHaveReleasedIt() {
    int page = cache.take();
    cache.share(page);
    cache.release(page);
    assertThat(cache.free()).isEqualTo(9);
    assertThat(cache.holders(page)).isEqualTo(1);
    cache.release(page);
    assertThat(cache.free()).isEqualTo(10);
    assertThatThrownBy(() -> cache.release(page)).hasMessage("nobody holds page " + page);
    assertThatThrownBy(() -> cache.share(page)).hasMessage("nobody holds page " + page);
  }

  @Test
  void noPageIsLostOrHeldTwiceInALongLife() {
    long seed = 5;
    Random random = new Random(seed);
    Deque<Integer> held = new ArrayDeque<>();
    for (int i = 0; i < 10_000; i++) {
      if (random.nextInt(3) == 0 && !held.isEmpty()) {
        int page = held.pop();
        if (random.nextInt(4) == 0) {
          cache.share(page);
          held.addLast(page);
          held.addLast(page);
        } else {
          cache.release(page);
        }
      } else if (cache.free() > 0) {
        int page = cache.take();
        assertThat(held).as("seed %d, step %d", seed, i).doesNotContain(page);
        held.push(page);
      }
      assertThat(cache.free()).isEqualTo(10 - new HashSet<>(held).size());
    }
  }

  @Test
  void itsBytesAreThoseOfAllLayersKeysAndValues() {
    assertThat(SHAPE.pageBytes(TensorType.F16)).isEqualTo(32L * 3 * 2 * (8 + 16) * 2);
    assertThat(cache.bytes()).isEqualTo(10 * SHAPE.pageBytes(TensorType.F16));
    assertThat(cache.pagesFor(32)).isEqualTo(1);
    assertThat(cache.pagesFor(33)).isEqualTo(2);
    assertThat(cache.tokens()).isEqualTo(320);
  }

  @Test
  void otherTypesAreRefused() {
    assertThatThrownBy(() -> new KvCache(device, SHAPE, TensorType.Q8_0, 1))
        .hasMessage("a cache of q8_0; f32 or f16");
  }
}
