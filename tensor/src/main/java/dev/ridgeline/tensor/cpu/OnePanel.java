package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.kernel.Multiplication;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Where a thread packs one panel of a matrix that stays in its file; it grows, and is kept. */
final class OnePanel {
  private static final ThreadLocal<OnePanel> OWN = ThreadLocal.withInitial(OnePanel::new);

  /** The product with it. */
  final Multiplication product = new Multiplication();

  private MemorySegment memory = MemorySegment.NULL;

  private OnePanel() {}

  static OnePanel own() {
    return OWN.get();
  }

  /**
   * The address of so many bytes.
   *
   * @param clear whether they must be zero: what a panel has too little of is not written
   */
  long room(long bytes, boolean clear) {
    if (memory.byteSize() < bytes) memory = Arena.ofAuto().allocate(bytes, Memory.ALIGNMENT);
    else if (clear) memory.fill((byte) 0);
    return memory.address();
  }
}
