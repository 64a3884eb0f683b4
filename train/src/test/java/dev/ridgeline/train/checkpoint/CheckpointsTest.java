package dev.ridgeline.train.checkpoint;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.data.Position;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointsTest {
  private static final long SEED = 20261116;

  @TempDir Path folder;

  /** Numbers of some shape, made of a seed. */
  private record Made(String name, int rows, int columns, float[] numbers) {
    Made(String name, int rows, int columns, long seed) {
      this(name, rows, columns, new float[rows * columns]);
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = Float.intBitsToFloat(random.nextInt());
      }
    }

    TensorSource source() {
      return new TensorSource(
          name,
          rows,
          columns,
          (from, to, out) ->
              MemorySegment.copy(
                  numbers, (int) from * columns, out, JAVA_FLOAT, 0, (int) (to - from) * columns));
    }

    void assertIn(Checkpoint checkpoint) {
      int[] bits = new int[numbers.length];
      checkpoint.read(
          name,
          rows,
          columns,
          (from, to, in) -> {
            assertThat(in.byteSize()).isEqualTo((to - from) * columns * 4);
            for (int i = 0; i < (to - from) * columns; i++) {
              bits[(int) from * columns + i] =
                  Float.floatToRawIntBits(in.getAtIndex(JAVA_FLOAT, i));
            }
          });
      for (int i = 0; i < bits.length; i++) {
        if (bits[i] != Float.floatToRawIntBits(numbers[i])) {
          assertThat(bits[i]).as("%s %d", name, i).isEqualTo(Float.floatToRawIntBits(numbers[i]));
        }
      }
    }
  }

  private static TrainState state(long step) {
    double[] losses = new double[(int) step];
    for (int i = 0; i < step; i++) losses[i] = 5.0 / (i + 1);
    return new TrainState(step, new Position(step / 7, (int) step % 7), "0123abcd", losses);
  }

  /** The middle one is larger than the buffer, the last has rows that are. */
  private static List<Made> tensors(long seed) {
    return List.of(
        new Made("token_embd.weight", 17, 33, seed),
        new Made("blk.0.ffn_up.weight/m", 700, 1000, seed + 1),
        new Made("output_norm.weight/v", 2, 300_001, seed + 2));
  }

  private static List<TensorSource> sources(List<Made> tensors) {
    return tensors.stream().map(Made::source).toList();
  }

  private static List<Made> small(long seed) {
    return List.of(new Made("a", 3, 5, seed), new Made("b", 1, 64, seed + 1));
  }

  @Test
  void everyBitComesBack() {
    List<Made> tensors = tensors(SEED);
    try (Checkpoints checkpoints = new Checkpoints(folder.resolve("new/deep"), 2)) {
      assertThat(checkpoints.isEmpty()).isTrue();
      Path file = checkpoints.write(state(250), sources(tensors));
      assertThat(file.getFileName().toString()).isEqualTo("step-000250.checkpoint");
      assertThat(checkpoints.isEmpty()).isFalse();
      Checkpoint back = checkpoints.newest(warning -> assertThat(warning).isNull());
      assertThat(back.path()).isEqualTo(file);
      assertThat(back.state()).usingRecursiveComparison().isEqualTo(state(250));
      assertThat(back.tensors()).isEqualTo(tensors.stream().map(Made::name).toList());
      for (Made tensor : tensors) tensor.assertIn(back);
    }
  }

  @Test
  void theSameStateMakesTheSameBytes() throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(folder, 2)) {
      byte[] one = Files.readAllBytes(checkpoints.write(state(3), sources(small(1))));
      byte[] other = Files.readAllBytes(checkpoints.write(state(3), sources(small(1))));
      assertThat(other).isEqualTo(one);
      assertThat(names()).containsExactly("step-000003.checkpoint");
    }
  }

  @Test
  void theLastOnesAreKept() throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(folder, 3)) {
      Files.writeString(folder.resolve("notes.txt"), "mine");
      Files.writeString(folder.resolve("step-000009.checkpoint.unfinished"), "of a killed process");
      for (long step : new long[] {10, 20, 30, 999_999, 1_000_000}) {
        checkpoints.write(stepOnly(step), sources(small(step)));
      }
      assertThat(names())
          .containsExactly(
              "notes.txt",
              "step-000030.checkpoint",
              "step-1000000.checkpoint",
              "step-999999.checkpoint");
      assertThat(checkpoints.newest(_ -> {}).state().step()).isEqualTo(1_000_000);
    }
  }

  private static TrainState stepOnly(long step) {
    return new TrainState(step, Position.START, "", new double[0]);
  }

  @Test
  void aDamagedOneIsPassedOverWithAWarningThatNamesIt() throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(folder, 5)) {
      List<Made> good = small(1);
      checkpoints.write(stepOnly(1), sources(good));
      Path second = checkpoints.write(stepOnly(2), sources(small(2)));
      Path third = checkpoints.write(stepOnly(3), sources(small(3)));
      byte[] bytes = Files.readAllBytes(second);
      bytes[bytes.length - 100] ^= 1;
      Files.write(second, bytes);
      Files.write(third, Arrays.copyOf(Files.readAllBytes(third), 300));
      List<String> warnings = new ArrayList<>();
      Checkpoint newest = checkpoints.newest(warnings::add);
      assertThat(newest.state().step()).isEqualTo(1);
      for (Made tensor : good) tensor.assertIn(newest);
      assertThat(warnings).hasSize(2);
      assertThat(warnings.get(0)).startsWith(third + ": is damaged: ");
      assertThat(warnings.get(1)).startsWith(second + ": is damaged: b");
      // Going on from there keeps what is written, and leaves the damaged ones where they are.
      try (Checkpoints one = new Checkpoints(folder, 1)) {
        one.write(stepOnly(2), sources(small(4)));
        assertThat(names()).containsExactly("step-000002.checkpoint", "step-000003.checkpoint");
        assertThat(one.newest(_ -> {}).state().step()).isEqualTo(2);
      }
    }
  }

  @Test
  void whereAllAreDamagedTheNewestIsNamedAndNothingIsWarnedOf() throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(folder, 5)) {
      Path first = checkpoints.write(stepOnly(1), sources(small(1)));
      Files.writeString(first, "damaged");
      assertThatThrownBy(() -> checkpoints.newest(warning -> assertThat(warning).isNull()))
          .isInstanceOf(TrainException.class)
          .hasMessageStartingWith(first + ": is damaged: ")
          .hasMessageEndingWith("; there is no other");
      Path second = checkpoints.write(stepOnly(2), sources(small(2)));
      Files.writeString(second, "damaged");
      assertThatThrownBy(() -> checkpoints.newest(warning -> assertThat(warning).isNull()))
          .hasMessageStartingWith(second + ": is damaged: ")
          .hasMessageEndingWith("; the earlier ones are damaged, too");
    }
  }

  @Test
  void withoutAnyThereIsNone() {
    try (Checkpoints checkpoints = new Checkpoints(folder.resolve("none"), 1)) {
      assertThat(checkpoints.newest(_ -> {})).isNull();
    }
  }

  @Test
  void aTensorThatIsNotThereOrOfAnotherShapeIsNamed() {
    try (Checkpoints checkpoints = new Checkpoints(folder, 1)) {
      checkpoints.write(stepOnly(1), sources(small(1)));
      Checkpoint checkpoint = checkpoints.newest(_ -> {});
      assertThatThrownBy(() -> checkpoint.read("c", 1, 1, (_, _, _) -> {}))
          .isInstanceOf(TrainException.class)
          .hasMessageEndingWith("has no tensor c");
      assertThatThrownBy(() -> checkpoint.read("a", 5, 3, (_, _, _) -> {}))
          .isInstanceOf(TrainException.class)
          .hasMessageEndingWith("has a as 3×5, not 5×3");
    }
  }

  /** A disk that is full after some bytes. */
  private record FullDisk(Target disk, long[] room, boolean loses) implements Target {
    @Override
    public void write(ByteBuffer bytes) throws IOException {
      int count = (int) Math.min(room[0], bytes.remaining());
      room[0] -= count;
      disk.write(bytes.slice(bytes.position(), count));
      bytes.position(bytes.position() + count);
      if (bytes.hasRemaining()) throw new IOException("No space left on device");
    }

    @Override
    public void force() throws IOException {
      if (loses) throw new IOException("Input/output error");
      disk.force();
    }

    @Override
    public void close() throws IOException {
      disk.close();
    }
  }

  @Test
  void aFullDiskLosesNothing() throws IOException {
    List<Made> good = small(1);
    long size;
    try (Checkpoints checkpoints = new Checkpoints(folder, 1)) {
      size = Files.size(checkpoints.write(stepOnly(1), sources(good)));
    }
    for (long room = 0; room <= size; room += 7) {
      long left = room;
      // Where all fits, it is the disk that fails to keep it.
      boolean fits = room + 7 > size;
      Target.Opener full =
          file -> new FullDisk(Target.OnDisk.open(file), new long[] {fits ? size : left}, fits);
      try (Checkpoints checkpoints = new Checkpoints(folder, 1, full)) {
        assertThatThrownBy(() -> checkpoints.write(stepOnly(2), sources(small(2))))
            .isInstanceOf(TrainException.class)
            .hasMessage(
                folder.resolve("step-000002.checkpoint")
                    + ": cannot be written: "
                    + (fits ? "Input/output error" : "No space left on device"));
        assertThat(names()).containsExactly("step-000001.checkpoint");
        Checkpoint kept = checkpoints.newest(warning -> assertThat(warning).isNull());
        for (Made tensor : good) tensor.assertIn(kept);
      }
    }
  }

  @Test
  void numbersThatCannotBeReadLeaveNothingBehind() throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(folder, 1)) {
      TensorSource broken =
          new TensorSource(
              "a",
              1,
              1,
              (_, _, _) -> {
                throw new IllegalStateException("gone");
              });
      assertThatThrownBy(() -> checkpoints.write(stepOnly(1), List.of(broken))).hasMessage("gone");
      assertThat(names()).isEmpty();
    }
    Path notAFolder = Files.writeString(folder.resolve("file"), "");
    try (Checkpoints checkpoints = new Checkpoints(notAFolder, 1)) {
      assertThatThrownBy(() -> checkpoints.write(stepOnly(1), sources(small(1))))
          .isInstanceOf(TrainException.class)
          .hasMessageContaining("cannot be written");
    }
  }

  @Test
  void anyDamageIsFoundAndToldInOneLine() throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    byte[] good;
    try (Checkpoints checkpoints = new Checkpoints(folder, 1)) {
      good = Files.readAllBytes(checkpoints.write(state(20), sources(small(1))));
    }
    for (int i = 0; i < 4000; i++) {
      byte[] bytes = damaged(good, random);
      if (Arrays.equals(bytes, good)) continue;
      boolean mended = random.nextBoolean() && mend(bytes);
      Path file = Files.write(folder.resolve("damaged"), bytes);
      try {
        Checkpoint read = Checkpoint.open(file);
        // A header that was changed and signed again may be another one that is right.
        assertThat(mended).as("seed %d, file %d", SEED, i).isTrue();
        assertThat(read.state()).isNotNull();
      } catch (TrainException e) {
        assertThat(e.getMessage())
            .as("seed %d, file %d", SEED, i)
            .startsWith(file + ": ")
            .doesNotContain("\n");
      }
    }
  }

  private static byte[] damaged(byte[] good, SplittableRandom random) {
    byte[] bytes = good.clone();
    for (int n = random.nextInt(3); n >= 0; n--) {
      // Half of the damage is in the header, which says most.
      int at = random.nextInt(random.nextBoolean() ? bytes.length : Math.min(bytes.length, 260));
      switch (random.nextInt(5)) {
        case 0 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        case 1 -> bytes = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(100));
        case 2 -> bytes[at] = (byte) "{}[]\",:0123456789-eE.".charAt(random.nextInt(21));
        case 3 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        default -> bytes[at] = (byte) random.nextInt(256);
      }
    }
    return bytes;
  }

  /** Signs the header again, so that what it says is looked at; whether there is one. */
  private static boolean mend(byte[] bytes) {
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.length < 20) return false;
    int length = file.getInt(12);
    if (length < 0 || length > bytes.length - 20) return false;
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, 16 + length);
    file.putInt(16 + length, (int) sum.getValue());
    return true;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
