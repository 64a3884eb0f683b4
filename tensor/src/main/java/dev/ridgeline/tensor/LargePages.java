package dev.ridgeline.tensor;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory in pages of 2 MB where Linux gives them for the asking, elsewhere in usual ones.
 *
 * <p>A processor that reads on and on through pages of 4 kB starts again at each of them: on the
 * virtual machine where this was measured one core read 31 instead of 20 GB/s, two 36 instead of
 * 28, by nothing else.
 */
public final class LargePages {
  /** Bytes of a large page. */
  public static final long BYTES = 2 << 20;

  /** The file that says whether Linux gives them. */
  public static final String SETTING = "/sys/kernel/mm/transparent_hugepage/enabled";

  private static final Pattern CHOSEN = Pattern.compile("\\[(\\w+)]");

  /**
   * From here on the system is asked for memory, which gives it as zeros: Java would write them.
   */
  private static final long SMALL = 1 << 16;

  private static final int READ_WRITE = 3;
  private static final int PRIVATE_ANONYMOUS = 0x22;
  private static final int HUGE_PAGE = 14;
  private static final int NO_HUGE_PAGE = 15;
  private static final long FAILED = -1;

  private static final boolean GIVEN = Setting.here() != Setting.NEVER;
  private static final int ADVICE = GIVEN && !Ablation.LARGE_PAGES.on() ? NO_HUGE_PAGE : HUGE_PAGE;
  private static final SystemCall MMAP = GIVEN ? SystemCall.named("mmap") : null;
  private static final SystemCall MADVISE = GIVEN ? SystemCall.named("madvise") : null;
  private static final SystemCall MUNMAP = GIVEN ? SystemCall.named("munmap") : null;

  private LargePages() {}

  /** Whether this system gives large pages. */
  public enum Setting {
    /** To everybody. */
    ALWAYS,
    /** To those who ask, as is done here. */
    MADVISE,
    /** To nobody, or nothing is known of it. */
    NEVER;

    /** What Linux is set to. */
    public static Setting here() {
      try {
        return of(Files.readString(Path.of(SETTING)));
      } catch (IOException | SecurityException e) {
        return NEVER;
      }
    }

    /** What the file of Linux says, as in {@code always [madvise] never}. */
    public static Setting of(String text) {
      Matcher chosen = CHOSEN.matcher(text);
      if (!chosen.find()) return NEVER;
      return switch (chosen.group(1)) {
        case "always" -> ALWAYS;
        case "madvise" -> MADVISE;
        default -> NEVER;
      };
    }
  }

  /**
   * Memory that is all zero and goes with its arena. What is smaller than a large page, and the
   * rest after the last whole one, lies in usual pages: nothing is wasted.
   */
  public static MemorySegment allocate(long bytes, Arena arena) {
    if (MMAP == null || bytes < SMALL) return arena.allocate(bytes, Memory.ALIGNMENT);
    long length = bytes < BYTES ? bytes : Math.addExact(bytes, BYTES);
    long at = MMAP.call(0, length, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
    // What is not to be had this way may be another; or else the error is the usual one.
    if (at == FAILED) return arena.allocate(bytes, Memory.ALIGNMENT);
    MemorySegment mapped =
        MemorySegment.ofAddress(at).reinterpret(length, arena, LargePages::unmap);
    if (bytes < BYTES) return mapped;
    long start = (at + BYTES - 1) / BYTES * BYTES;
    // Where the advice is not taken, pages are small and all else is as it was.
    MADVISE.call(start, bytes / BYTES * BYTES, ADVICE);
    return mapped.asSlice(start - at, bytes);
  }

  /**
   * The same for memory that is used again and again: it follows what was asked for before, so that
   * what is smaller than a large page, and its ends, lie in large pages, too. The pages are given
   * back once all that lies in them is gone.
   */
  public static MemorySegment share(long bytes, Arena arena) {
    return MMAP == null || bytes < SMALL ? allocate(bytes, arena) : Slab.take(bytes, arena);
  }

  /** Large pages that several share. */
  private static final class Slab implements Consumer<MemorySegment> {
    /** Of address space; memory is taken page by page, when it is first written. */
    private static final long USUAL = 32 << 20;

    /** The one that has room. */
    private static Slab latest;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private long used;
    private int users;

    private Slab(long bytes) {
      memory = allocate(bytes, arena);
    }

    static synchronized MemorySegment take(long bytes, Arena arena) {
      long room = Math.addExact(bytes, Memory.ALIGNMENT - 1) & -Memory.ALIGNMENT;
      Slab slab = latest;
      if (slab == null || room > slab.left()) {
        long whole = Math.addExact(Math.max(room, USUAL), BYTES - 1) / BYTES * BYTES;
        slab = new Slab(whole);
      }
      long at = slab.memory.address() + slab.used;
      MemorySegment taken = MemorySegment.ofAddress(at).reinterpret(bytes, arena, slab);
      slab.used += room;
      slab.users++;
      if (latest == null || slab != latest && slab.left() > latest.left()) latest = slab;
      return taken;
    }

    private long left() {
      return memory.byteSize() - used;
    }

    /** One of its users is gone. */
    @Override
    public void accept(MemorySegment given) {
      synchronized (Slab.class) {
        if (--users > 0) return;
        if (latest == this) latest = null;
        arena.close();
      }
    }
  }

  private static void unmap(MemorySegment mapped) {
    MUNMAP.call(mapped.address(), mapped.byteSize(), 0);
  }
}
