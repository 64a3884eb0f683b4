package dev.ridgeline.lab.roofline;

import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures.Cache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The caches of a core: as the system tells them, else as the processor does.
 *
 * @param all those for data, nearest first
 */
public record Caches(List<Cache> all) {
  /** Where nobody tells. */
  private static final long LIKELY_NEAR = 1 << 18;

  private static final long LIKELY_FAR = 32 << 20;

  private static final String FOLDER = "sys/devices/system/cpu/cpu0/cache";

  public Caches {
    all = List.copyOf(all);
  }

  /** Those of this machine. */
  public static Caches here() {
    Caches told = told(Path.of("/"));
    return told.all.isEmpty() ? new Caches(CpuFeatures.here().caches()) : told;
  }

  /** The cache of a level. */
  Optional<Cache> at(Level level) {
    if (level == Level.DRAM) return Optional.empty();
    return all.stream().filter(each -> each.level() == level.ordinal() + 1).findFirst();
  }

  /**
   * What one core has to itself in the nearest cache but the first, which is too small for the rows
   * of most matrices.
   */
  public long nearBytes() {
    for (Cache each : all) if (each.level() == 2) return each.bytes() / each.sharers();
    return all.isEmpty() ? LIKELY_NEAR : all.getFirst().bytes() / all.getFirst().sharers();
  }

  /** All that caches hold where so many threads use all of theirs. */
  public long farBytes(int threads) {
    if (all.isEmpty()) return LIKELY_FAR;
    Cache last = all.getLast();
    long instances = (threads + last.sharers() - 1L) / last.sharers();
    return last.bytes() * instances;
  }

  static Caches told(Path root) {
    List<Cache> caches = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      Path folder = root.resolve(FOLDER).resolve("index" + i);
      String type = text(folder, "type");
      long bytes = bytes(text(folder, "size"));
      int level = (int) number(text(folder, "level"));
      if (bytes <= 0 || level < 1 || type.equals("Instruction")) continue;
      caches.add(new Cache(level, bytes, count(text(folder, "shared_cpu_list"))));
    }
    caches.sort(Comparator.comparingInt(Cache::level));
    return new Caches(caches);
  }

  private static String text(Path folder, String file) {
    try {
      return Files.readString(folder.resolve(file)).strip();
    } catch (IOException _) {
      return "";
    }
  }

  /** {@code 32768K}. */
  private static long bytes(String text) {
    int last = text.length() - 1;
    if (last < 1) return number(text);
    return switch (text.charAt(last)) {
      case 'K' -> number(text.substring(0, last)) << 10;
      case 'M' -> number(text.substring(0, last)) << 20;
      default -> number(text);
    };
  }

  /** Of {@code 0-3,8}: 5. */
  private static int count(String list) {
    long count = 0;
    for (String part : list.split(",")) {
      String[] ends = part.split("-");
      count += ends.length == 2 ? number(ends[1]) - number(ends[0]) + 1 : 1;
    }
    return (int) Math.clamp(count, 1, 1 << 20);
  }

  private static long number(String text) {
    return text.matches("\\d{1,12}") ? Long.parseLong(text) : 0;
  }
}
