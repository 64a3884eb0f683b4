package dev.ridgeline.cli.kernels;

import dev.ridgeline.cli.workload.Fingerprint;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * An operation, or a few in a row, on fixed data of a device: run it as often as you like, the
 * result is the same.
 *
 * <p>A call allocates nothing, unless {@link #as} asks for it.
 */
public final class Kernel implements AutoCloseable {
  /** Numbers that are compared with their formulas after a run. */
  private static final int CHECKED = 64;

  /**
   * A table that it computes.
   *
   * @param formula what each number should be; null where nobody checks
   */
  record Result(int rows, int columns, Formula formula) {
    long bytes() {
      long bytes = 4L * rows * columns;
      return (bytes + Memory.ALIGNMENT - 1) / Memory.ALIGNMENT * Memory.ALIGNMENT;
    }
  }

  private final Room room;
  private final String shape;
  private final Consumer<Tensor[]> body;
  private final List<Result> plan;

  /** Results of calls so far, the last ones behind. */
  private final List<Tensor[]> kept = new ArrayList<>();

  private String name;
  private String owner = Room.OWNER;
  private int most = 1;
  private Tensor[] results;

  /**
   * @param shape sizes, for people: {@code 512×512 @ 512×512}
   * @param body computes the results, in their order
   */
  Kernel(Room room, String shape, Consumer<Tensor[]> body, Result... plan) {
    this.room = room;
    this.name = room.name();
    this.shape = shape;
    this.body = body;
    this.plan = List.of(plan);
  }

  /**
   * Under a name of its own, which its results have in the ledger, too.
   *
   * @param kept 1 to have each call write over the results of the last one; else each makes new
   *     tensors, and those of so many calls are kept, as garbage is until a collection
   */
  Kernel as(String ownName, int kept) {
    name = ownName;
    owner = ownName;
    most = kept;
    return this;
  }

  /** That of its scope: {@code matmul 512}. */
  public String name() {
    return name;
  }

  /** Sizes, for people. */
  public String shape() {
    return shape;
  }

  /** Where it runs. */
  public Device device() {
    return room.device();
  }

  /** What the results of a call take. */
  public long resultBytes() {
    return plan.stream().mapToLong(Result::bytes).sum();
  }

  /** One call. */
  public void run() {
    if (results == null || most > 1) results = fresh();
    body.accept(results);
  }

  private Tensor[] fresh() {
    if (kept.size() == most) release();
    Tensor[] made = new Tensor[plan.size()];
    for (int i = 0; i < made.length; i++) {
      made[i] = room.empty(owner, plan.get(i).rows(), plan.get(i).columns());
    }
    kept.add(made);
    return made;
  }

  /** Gives the memory of all results back. */
  void release() {
    for (Tensor[] each : kept) for (Tensor tensor : each) tensor.close();
    kept.clear();
    results = null;
  }

  private float[] row(int result, int row) {
    float[] numbers = new float[plan.get(result).columns()];
    device().read(results[result], row, numbers, 0);
    return numbers;
  }

  /** Enters every bit of the results of the last call. */
  void addTo(Fingerprint print) {
    for (int i = 0; i < plan.size(); i++) {
      for (int row = 0; row < plan.get(i).rows(); row++) print.add(row(i, row));
    }
  }

  /** The first of some numbers, chosen at random, that is not what its formula says, or null. */
  String firstWrong(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    String wrong = null;
    for (int i = 0; i < CHECKED && wrong == null; i++) {
      int result = random.nextInt(plan.size());
      int row = random.nextInt(plan.get(result).rows());
      int column = random.nextInt(plan.get(result).columns());
      wrong = firstWrong(result, row, column, column + 1);
    }
    return wrong;
  }

  /** The first of all numbers that is not what its formula says, or null. */
  public String firstWrong() {
    String wrong = null;
    for (int i = 0; i < plan.size(); i++) {
      for (int row = 0; row < plan.get(i).rows() && wrong == null; row++) {
        wrong = firstWrong(i, row, 0, plan.get(i).columns());
      }
    }
    return wrong;
  }

  private String firstWrong(int result, int row, int from, int to) {
    Formula formula = plan.get(result).formula();
    if (formula == null) return null;
    float[] numbers = row(result, row);
    for (int column = from; column < to; column++) {
      Formula.Expected expected = formula.at(row, column);
      if (expected.admits(numbers[column])) continue;
      return "%s, result %d [%d][%d] is %s and should be %s ± %s"
          .formatted(
              name(), result, row, column, numbers[column], expected.value(), expected.tolerance());
    }
    return null;
  }

  @Override
  public void close() {
    release();
    room.close();
  }
}
