package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.SystemCall;
import java.util.Locale;

/**
 * The leave that Linux wants to be asked for before a process uses tiles: they make what it keeps
 * of a thread 8 kB larger. It is for all threads, those that run already included.
 */
final class TilePermission {
  /** The system call {@code arch_prctl} of x86-64. */
  private static final int ARCH_PRCTL = 158;

  private static final int REQUEST = 0x1023;

  /** The data of tiles, by their number among the parts of a thread's state. */
  private static final int TILE_DATA = 18;

  private TilePermission() {}

  /** Asks; true where tiles may be used from now on. */
  static boolean granted() {
    if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux")) {
      return false;
    }
    SystemCall call = SystemCall.named("syscall");
    return call != null && call.call(ARCH_PRCTL, REQUEST, TILE_DATA) == 0;
  }
}
