package dev.ridgeline.lab.roofline;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.ridgeline.tensor.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/**
 * What is stored where stores are measured: numbers of which none repeats for long. Zeros tell
 * nothing: a Zen 4 takes three times as many of them as of anything else.
 */
final class Pattern {
  /**
   * What is added to every number from one turn of a loop to the next: odd, so it never repeats.
   */
  static final int STEP = 0x9E3779B9;

  private Pattern() {}

  /** The vectors of a turn, and one that is added to each of them for the next. */
  static MemorySegment of(int vectorBytes, Arena arena) {
    int last = MachineLoops.VECTORS * vectorBytes;
    MemorySegment pattern = arena.allocate(last + vectorBytes, Memory.ALIGNMENT);
    fill(pattern);
    for (int at = last; at < pattern.byteSize(); at += 4) pattern.set(JAVA_INT, at, STEP);
    return pattern;
  }

  /** Fills memory with such numbers. */
  static void fill(MemorySegment memory) {
    var random = new SplittableRandom(memory.byteSize());
    MemorySegment first = memory.asSlice(0, Math.min(memory.byteSize(), Loads.PIECE));
    for (long at = 0; at + 4 <= first.byteSize(); at += 4) {
      first.set(JAVA_INT, at, random.nextInt());
    }
    for (long at = first.byteSize(); at < memory.byteSize(); at += first.byteSize()) {
      long bytes = Math.min(first.byteSize(), memory.byteSize() - at);
      MemorySegment.copy(first, 0, memory, at, bytes);
    }
  }
}
