package dev.ridgeline.tensor.kernel;

import dev.ridgeline.tensor.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory that one thread works in. It grows when more is wanted than before, and is kept. */
public final class Room {
  private MemorySegment memory = MemorySegment.NULL;

  /** The address of so many bytes; what was there before is lost where there were fewer. */
  public long of(long bytes) {
    if (memory.byteSize() < bytes) memory = Arena.ofAuto().allocate(bytes, Memory.ALIGNMENT);
    return memory.address();
  }
}
