package dev.ridgeline.model.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every byte of a safetensors file belongs to one tensor. */
@Execution(CONCURRENT)
class SafetensorsRangesTest {
  private static final Path PATH = Path.of("some", "model.safetensors");
  private static final int ROUNDS = 5_000;
  private static final long SEED = 20261118;

  /** Bytes {@code from} to {@code to} of the data, as f16. */
  private record Range(int from, int to) {
    Range moved(int by) {
      return new Range(from + by, to + by);
    }
  }

  private static byte[] file(List<Range> ranges, int size) {
    StringBuilder header = new StringBuilder("{");
    for (int i = 0; i < ranges.size(); i++) {
      Range range = ranges.get(i);
      header.append(
          "%s\"t%d\":{\"dtype\":\"F16\",\"shape\":[%d],\"data_offsets\":[%d,%d]}"
              .formatted(i == 0 ? "" : ",", i, (range.to - range.from) / 2, range.from, range.to));
    }
    byte[] text = header.append('}').toString().getBytes(UTF_8);
    return ByteBuffer.allocate(8 + text.length + size)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(text.length)
        .put(text)
        .array();
  }

  private static Safetensors read(List<Range> ranges, int size) {
    return Safetensors.of(TruncationTest.mapping(file(ranges, size), PATH));
  }

  private static List<Range> ranges(String words) {
    List<Range> ranges = new ArrayList<>();
    for (String word : words.split(" ")) {
      String[] ends = word.split("-");
      ranges.add(new Range(Integer.parseInt(ends[0]), Integer.parseInt(ends[1])));
    }
    return ranges;
  }

  @ParameterizedTest
  @CsvSource({
    "0-8 8-12, 12",
    "4-12 0-4, 12", // in any order
    "0-8 8-8 8-12, 12", // empty ones, too
    "0-0, 0",
  })
  void rangesThatFollowEachOtherAreRead(String words, int size) {
    try (Safetensors file = read(ranges(words), size)) {
      assertThat(file.tensors()).hasSameSizeAs(ranges(words));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0-8 4-12, 12, tensors t0 and t1 overlap",
    "0-8 0-8, 8, tensors t0 and t1 overlap",
    "8-12 0-12, 12, tensors t1 and t0 overlap",
    "0-4 8-12, 12, has 4 bytes between tensors t0 and t1 that no tensor owns",
    "2-4 4-12, 12, has 2 bytes before tensor t0 that no tensor owns",
    "0-4 4-12, 13, has 1 byte after tensor t1 that no tensor owns",
  })
  void otherRangesAreRefused(String words, int size, String why) {
    assertThatThrownBy(() -> read(ranges(words), size))
        .isInstanceOf(ImportException.class)
        .hasMessage(PATH + ": " + why);
  }

  @Test
  void rangesThatWereMovedAreAlwaysRefused() {
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      RandomGenerator random = RandomGeneratorFactory.of("SplittableRandom").create(seed);
      List<Range> ranges = new ArrayList<>();
      int size = 0;
      for (int i = 1 + random.nextInt(6); i > 0; i--) {
        int bytes = 2 * (1 + random.nextInt(50));
        ranges.add(new Range(size, size + bytes));
        size += bytes;
      }
      int grown = size;
      switch (random.nextInt(3)) {
        case 0 -> { // one moved
          int which = random.nextInt(ranges.size());
          Range range = ranges.get(which);
          int by = 1 + random.nextInt(30);
          ranges.set(which, range.moved(range.from >= by && random.nextBoolean() ? -by : by));
          grown += 30;
        }
        case 1 -> { // a hole: all from one on moved, with their bytes
          int by = 1 + random.nextInt(30);
          int first = random.nextInt(ranges.size());
          for (int i = first; i < ranges.size(); i++) ranges.set(i, ranges.get(i).moved(by));
          grown += by;
        }
        default -> grown += 1 + random.nextInt(30); // something behind the last
      }
      int bytes = grown;
      assertThatThrownBy(() -> read(ranges, bytes))
          .as("seed %d", seed)
          .isInstanceOf(ImportException.class)
          .hasMessageMatching(".*(overlap|that no tensor owns)");
    }
  }
}
