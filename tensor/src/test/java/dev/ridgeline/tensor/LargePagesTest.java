package dev.ridgeline.tensor;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.tensor.LargePages.Setting;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("memory that is given back must not be mapped again")
class LargePagesTest {
  @ParameterizedTest
  @ValueSource(longs = {64, 4096, (2 << 20) - 64, 2 << 20, (2 << 20) + 64, 9_000_000})
  void memoryIsZeroAlignedAndOfTheSizeAskedFor(long bytes) {
    MemorySegment memory;
    try (Arena arena = Arena.ofShared()) {
      memory = LargePages.allocate(bytes, arena);
      assertThat(memory.byteSize()).isEqualTo(bytes);
      assertThat(memory.address() % Memory.ALIGNMENT).isZero();
      assertThat(memory.mismatch(MemorySegment.ofArray(new byte[(int) bytes]))).isEqualTo(-1);
      memory.fill((byte) 1);
    }
    assertThat(memory.scope().isAlive()).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> memory.get(JAVA_BYTE, 0));
  }

  @Test
  void theSystemIsAskedForLargePagesAndNothingIsLeftBehind() throws IOException {
    assumeTrue(Setting.here() != Setting.NEVER, "needs a Linux that gives large pages");
    long address;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = LargePages.allocate(9_000_000, arena);
      address = memory.address();
      assertThat(address % LargePages.BYTES).isZero();
      // hg: advised to be in huge pages; whether they come depends on what memory is free.
      if (Setting.here() == Setting.MADVISE) assertThat(flags(address)).contains(" hg");
    }
    assertThat(flags(address)).isEmpty();
  }

  @Test
  void thoseWhoShareLargePagesHaveMemoryOfTheirOwnUntilEachIsGone() throws IOException {
    long[] sizes = {70_000, 3_000_000, 100, 40_000_000, 12_255_232, 1 << 16, 9_000_001};
    List<Arena> arenas = new ArrayList<>();
    List<MemorySegment> all = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      arenas.add(Arena.ofShared());
      MemorySegment memory = LargePages.share(sizes[i], arenas.getLast());
      assertThat(memory.byteSize()).isEqualTo(sizes[i]);
      assertThat(memory.address() % Memory.ALIGNMENT).isZero();
      assertThat(memory.mismatch(MemorySegment.ofArray(new byte[(int) sizes[i]]))).isEqualTo(-1);
      memory.fill((byte) (i + 1));
      all.add(memory);
    }
    if (Setting.here() == Setting.MADVISE) {
      assertThat(flags(all.get(4).address())).contains(" hg");
      assertThat(flags(all.get(4).address() + sizes[4] - 1)).contains(" hg");
    }
    for (int i = sizes.length - 1; i >= 0; i--) {
      for (int j = 0; j <= i; j++) {
        byte[] expected = new byte[(int) sizes[j]];
        Arrays.fill(expected, (byte) (j + 1));
        assertThat(all.get(j).mismatch(MemorySegment.ofArray(expected))).isEqualTo(-1);
      }
      MemorySegment gone = all.get(i);
      arenas.get(i).close();
      assertThatIllegalStateException().isThrownBy(() -> gone.get(JAVA_BYTE, 0));
    }
    assertThat(flags(all.get(3).address())).isEmpty();
  }

  /** What the kernel says of the mapping that an address is in; empty when there is none. */
  private static String flags(long address) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
    boolean inside = false;
    for (String line : lines) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        String[] ends = line.substring(0, line.indexOf(' ')).split("-");
        inside =
            Long.compareUnsigned(address, Long.parseUnsignedLong(ends[0], 16)) >= 0
                && Long.compareUnsigned(address, Long.parseUnsignedLong(ends[1], 16)) < 0;
      } else if (inside && line.startsWith("VmFlags:")) {
        return line;
      }
    }
    return "";
  }

  @Test
  void aSettingIsWhatIsInBrackets() {
    assertThat(Setting.of("always [madvise] never")).isEqualTo(Setting.MADVISE);
    assertThat(Setting.of("[always] madvise never\n")).isEqualTo(Setting.ALWAYS);
    assertThat(Setting.of("always madvise [never]")).isEqualTo(Setting.NEVER);
    assertThat(Setting.of("")).isEqualTo(Setting.NEVER);
  }
}
