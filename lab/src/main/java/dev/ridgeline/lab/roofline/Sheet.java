package dev.ridgeline.lab.roofline;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Compute;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.report.roofline.Ceilings.Memory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Peaks of a data sheet, of all cores together: what the maker promises, beside what was measured.
 *
 * @param compute operations a second
 * @param memory bytes a second
 */
public record Sheet(Map<Arithmetic, Double> compute, Map<Level, Double> memory) {
  private static final double GIGA = 1e9;

  /**
   * Reads {@code f32=294,int8=1177,dram=51.2}, in thousand millions a second; 0 forgets a peak. An
   * {@link IllegalArgumentException} says what is wrong.
   */
  public static Sheet parse(String text) {
    var sheet = new Sheet(new EnumMap<>(Arithmetic.class), new EnumMap<>(Level.class));
    for (String part : text.split(",", -1)) {
      String[] pair = part.strip().split("=", -1);
      double peak = pair.length == 2 ? number(pair[1].strip()) : Double.NaN;
      if (!(peak >= 0) || !sheet.put(pair[0].strip().toLowerCase(Locale.ROOT), peak * GIGA)) {
        throw new IllegalArgumentException(
            "'%s' is not NAME=NUMBER, as in f32=294,dram=51.2; there are %s"
                .formatted(part, String.join(", ", names())));
      }
    }
    return sheet;
  }

  private static double number(String text) {
    return text.matches("\\d{1,9}(\\.\\d{1,9})?") ? Double.parseDouble(text) : Double.NaN;
  }

  private boolean put(String name, double peak) {
    for (Arithmetic kind : Arithmetic.values()) {
      if (kind.word().equals(name)) return compute.putIfAbsent(kind, peak) == null;
    }
    for (Level level : Level.values()) {
      if (word(level).equals(name)) return memory.putIfAbsent(level, peak) == null;
    }
    return false;
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>();
    for (Arithmetic kind : Arithmetic.values()) names.add(kind.word());
    for (Level level : Level.values()) names.add(word(level));
    return names;
  }

  private static String word(Level level) {
    return level.name().toLowerCase(Locale.ROOT);
  }

  /** The peaks that ceilings have beside them. */
  public static Sheet of(Ceilings ceilings) {
    var sheet = new Sheet(new EnumMap<>(Arithmetic.class), new EnumMap<>(Level.class));
    for (Compute each : ceilings.compute()) {
      sheet.compute.merge(each.kind(), each.sheet(), Math::max);
    }
    for (Memory each : ceilings.memory()) sheet.memory.put(each.level(), each.sheet());
    return sheet;
  }

  /** What this sheet names and ceilings lack, or null: {@code bf16}. */
  public String missingIn(Ceilings ceilings) {
    for (Arithmetic kind : compute.keySet()) {
      if (ceilings.compute(kind).isEmpty()) return kind.word();
    }
    for (Level level : memory.keySet()) {
      if (ceilings.memory(level).isEmpty()) return word(level);
    }
    return null;
  }

  /** Ceilings with these peaks beside them. */
  public Ceilings on(Ceilings ceilings) {
    List<Compute> kinds = new ArrayList<>();
    for (Compute each : ceilings.compute()) {
      boolean widest = each == ceilings.compute(each.kind()).orElseThrow();
      double peak = widest ? compute.getOrDefault(each.kind(), each.sheet()) : each.sheet();
      kinds.add(new Compute(each.kind(), each.bits(), each.one(), each.all(), peak));
    }
    List<Memory> levels = new ArrayList<>();
    for (Memory each : ceilings.memory()) {
      double peak = memory.getOrDefault(each.level(), each.sheet());
      levels.add(new Memory(each.level(), each.bytes(), each.one(), each.all(), peak));
    }
    return new Ceilings(ceilings.measured(), ceilings.cores(), kinds, levels);
  }
}
