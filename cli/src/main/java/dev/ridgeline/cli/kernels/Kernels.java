package dev.ridgeline.cli.kernels;

import dev.ridgeline.cli.Problem;
import dev.ridgeline.cli.profile.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The door of this package: the workload for a mode. */
public final class Kernels {
  private Kernels() {}

  /** Pairs of variants; the profile has to be taken at level ALLOCATION or above. */
  public static Workload allocationStudy(Duration budget, long seed) {
    return new AllocationStudy(budget, seed);
  }

  /**
   * The kernels of a mode, or those of them that are asked for.
   *
   * @param filter parts of names, separated by commas; empty for all
   */
  public static Workload of(Mode mode, String filter, int threads, Duration budget, long seed) {
    List<Kernel> all = mode.kernels(seed, threads);
    List<Kernel> chosen = all.stream().filter(kernel -> matches(kernel.name(), filter)).toList();
    for (Kernel kernel : all) if (!chosen.contains(kernel)) kernel.close();
    if (chosen.isEmpty()) {
      String names = String.join(", ", all.stream().map(Kernel::name).toList());
      throw new Problem("no kernel matches '" + filter + "'; " + mode.label() + " has " + names);
    }
    return new KernelsWorkload(mode, chosen, budget, seed);
  }

  private static boolean matches(String name, String filter) {
    if (filter.isBlank()) return true;
    String lower = name.toLowerCase(Locale.ROOT);
    for (String part : filter.toLowerCase(Locale.ROOT).split(",")) {
      if (!part.isBlank() && lower.contains(part.strip())) return true;
    }
    return false;
  }
}
