package dev.ridgeline.tensor.kernel.assembled;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What the processor can do and the operating system lets it, as the processor itself says.
 *
 * @param features instructions that may be used
 * @param caches of one core, nearest first; empty where they are not told
 * @param refusal why assembled code cannot run, and so nothing is known; null where it can
 */
public record CpuFeatures(Set<Feature> features, List<Cache> caches, String refusal) {
  public CpuFeatures {
    features = Set.copyOf(features);
    caches = List.copyOf(caches);
  }

  /** The leaf of cpuid that tells how many more there are; the name is two to four behind it. */
  private static final int BRAND = 0x8000_0000;

  /** What a system keeps of threads that use tiles: their configuration and their data. */
  private static final long TILE_STATE = 0b11L << 17;

  /** Groups of instructions, in the spelling of Linux when in small letters. */
  public enum Feature {
    AVX2,
    FMA,
    F16C,
    AVX_VNNI,
    AVX512F,
    AVX512BW,
    AVX512VL,
    AVX512_VNNI,
    AVX512_BF16,
    /** With leave to use tiles, which the process asked for. */
    AMX_INT8,
    AMX_BF16
  }

  /**
   * A cache for data.
   *
   * @param level 1 is the nearest
   * @param sharers logical processors that have it together, at most
   */
  public record Cache(int level, long bytes, int sharers) {}

  private static final class Read {
    private static final CpuFeatures HERE = read();

    private static CpuFeatures read() {
      try (Cpuid cpuid = Cpuid.open()) {
        return new CpuFeatures(features(cpuid), caches(cpuid), null);
      } catch (CodeRefused e) {
        return new CpuFeatures(Set.of(), List.of(), e.getMessage());
      }
    }
  }

  /** Those of this machine, read once. */
  public static CpuFeatures here() {
    return Read.HERE;
  }

  /** What the processor calls itself; a few words instead where it cannot be asked. */
  public static String brand() {
    try (Cpuid cpuid = Cpuid.open()) {
      if (Integer.compareUnsigned(cpuid.read(BRAND, 0)[0], BRAND + 4) < 0) return "a processor";
      var letters = ByteBuffer.allocate(48).order(ByteOrder.LITTLE_ENDIAN);
      for (int part = 2; part <= 4; part++) {
        for (int register : cpuid.read(BRAND + part, 0)) letters.putInt(register);
      }
      String words = new String(letters.array(), StandardCharsets.ISO_8859_1);
      return words.replaceAll("[^ -~]+", " ").strip().replaceAll(" +", " ");
    } catch (CodeRefused _) {
      return "a processor";
    }
  }

  /** Whether assembled code can run. */
  public boolean runnable() {
    return refusal == null;
  }

  public boolean has(Feature... wanted) {
    return features.containsAll(Set.of(wanted));
  }

  private static Set<Feature> features(Cpuid cpuid) {
    Set<Feature> features = EnumSet.noneOf(Feature.class);
    int first = cpuid.read(1, 0)[2];
    boolean saved = bit(first, 27) && bit(first, 28);
    // Whether the system keeps the registers of a thread that it interrupts.
    long kept = saved ? cpuid.savedState() : 0;
    if ((kept & 0b110) != 0b110) return features;
    add(features, Feature.FMA, first, 12);
    add(features, Feature.F16C, first, 29);
    if (cpuid.read(0, 0)[0] < 7) return features;
    int[] seventh = cpuid.read(7, 0);
    int[] more = seventh[0] >= 1 ? cpuid.read(7, 1) : new int[4];
    add(features, Feature.AVX2, seventh[1], 5);
    add(features, Feature.AVX_VNNI, more[0], 4);
    if ((kept & 0b1110_0000) != 0b1110_0000) return features;
    add(features, Feature.AVX512F, seventh[1], 16);
    add(features, Feature.AVX512BW, seventh[1], 30);
    add(features, Feature.AVX512VL, seventh[1], 31);
    add(features, Feature.AVX512_VNNI, seventh[2], 11);
    add(features, Feature.AVX512_BF16, more[0], 5);
    boolean tiles = bit(seventh[3], 24) && (kept & TILE_STATE) == TILE_STATE;
    if (!tiles || !TilePermission.granted()) return features;
    add(features, Feature.AMX_INT8, seventh[3], 25);
    add(features, Feature.AMX_BF16, seventh[3], 22);
    return features;
  }

  private static void add(Set<Feature> features, Feature feature, int register, int at) {
    if (bit(register, at)) features.add(feature);
  }

  private static boolean bit(int register, int at) {
    return (register >>> at & 1) != 0;
  }

  /** Intel tells its caches under one number and AMD under another, in the same form. */
  private static List<Cache> caches(Cpuid cpuid) {
    int highest = cpuid.read(0, 0)[0];
    int highestMore = cpuid.read(0x8000_0000, 0)[0];
    List<Cache> caches = highest >= 4 ? caches(cpuid, 4) : List.of();
    if (!caches.isEmpty() || Integer.compareUnsigned(highestMore, 0x8000_001D) < 0) return caches;
    return caches(cpuid, 0x8000_001D);
  }

  private static List<Cache> caches(Cpuid cpuid, int leaf) {
    List<Cache> caches = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      int[] cache = cpuid.read(leaf, i);
      int kind = cache[0] & 31;
      if (kind == 0) break;
      if (kind == 2) continue; // instructions
      long line = (cache[1] & 0xFFF) + 1;
      long partitions = (cache[1] >>> 12 & 0x3FF) + 1;
      long ways = (cache[1] >>> 22) + 1;
      long sets = Integer.toUnsignedLong(cache[2]) + 1;
      int sharers = (cache[0] >>> 14 & 0xFFF) + 1;
      caches.add(new Cache(cache[0] >>> 5 & 7, line * partitions * ways * sets, sharers));
    }
    return caches;
  }
}
