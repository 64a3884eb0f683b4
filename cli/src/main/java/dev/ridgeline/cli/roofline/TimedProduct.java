package dev.ridgeline.cli.roofline;

import dev.ridgeline.lab.roofline.Floor;
import dev.ridgeline.lab.roofline.Product;
import dev.ridgeline.lab.roofline.ProductTiming;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.report.roofline.Ceilings.Memory;
import dev.ridgeline.tensor.Workers;
import java.util.ArrayList;
import java.util.List;

/**
 * A product with its least time and ours, from each place where its weights may lie.
 *
 * @param places memory first, as in a model that is larger than the caches; then the cache that
 *     holds them when it is done again and again, if there is one
 */
record TimedProduct(Product product, List<Place> places) {
  /**
   * Where weights lie.
   *
   * @param timing of our kernels; null where copies cannot outgrow the caches
   */
  record Place(Floor floor, ProductTiming timing) {
    /** How many times the floor we take. */
    double times() {
      return timing.seconds() / floor.seconds();
    }

    /** Whether a product was done in less time than the ceiling allows, which is then too low. */
    boolean beaten() {
      return timing != null && timing.best() < floor.seconds();
    }
  }

  /** Whether a memory's ceiling was beaten. */
  boolean beaten(Level level) {
    return places.stream()
        .anyMatch(each -> each.beaten() && each.floor.memoryBound() && each.floor.level() == level);
  }

  /** Whether the ceiling of some arithmetic was beaten. */
  boolean beaten(Arithmetic kind) {
    return places.stream()
        .anyMatch(each -> each.beaten() && !each.floor.memoryBound() && each.floor.kind() == kind);
  }

  static TimedProduct of(Product product, Ceilings roof, Progress progress) {
    progress.step("measuring " + product);
    int workers = Workers.cpus();
    List<Place> places = new ArrayList<>();
    Level home = product.home(roof);
    long caches = roof.memory().stream().mapToLong(Memory::bytes).max().orElse(0);
    int copies = ProductTiming.copiesBeyond(product, caches);
    boolean beyond = copies * product.weightBytes() > caches;
    places.add(
        new Place(
            product.floor(Level.DRAM, roof),
            beyond ? ProductTiming.measure(product, copies, workers) : null));
    if (home != Level.DRAM) {
      places.add(new Place(product.floor(home, roof), ProductTiming.measure(product, 1, workers)));
    }
    return new TimedProduct(product, places);
  }
}
