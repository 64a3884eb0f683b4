package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Where a thread packs one panel of a matrix that stays in its file; it grows, and is kept. */
final class OnePanel {
  private static final ThreadLocal<OnePanel> OWN = ThreadLocal.withInitial(OnePanel::new);

  private MemorySegment memory = MemorySegment.NULL;

  private OnePanel() {}

  /**
   * The address of so many bytes.
   *
   * @param clear whether they must be zero: what a panel has too little of is not written
   */
  static long room(long bytes, boolean clear) {
    OnePanel own = OWN.get();
    if (own.memory.byteSize() < bytes) {
      own.memory = Arena.ofAuto().allocate(bytes, Memory.ALIGNMENT);
    } else if (clear) {
      own.memory.fill((byte) 0);
    }
    return own.memory.address();
  }
}
