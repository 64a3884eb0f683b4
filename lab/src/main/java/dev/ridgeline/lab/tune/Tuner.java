package dev.ridgeline.lab.tune;

import dev.ridgeline.lab.trial.MachineLoad;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import dev.ridgeline.tensor.tune.Tiling;
import dev.ridgeline.tensor.tune.TilingTable;
import dev.ridgeline.tensor.tune.Tunable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Tries one tunable after the other, the winners of those before in force: a block with all of its
 * values and, where one of them is clearly faster, another block in a fresh process that has to
 * agree. What is not clearly better stays as it is shipped.
 */
public final class Tuner {
  /** The part of a tunable's time that the first block has; more values, more time. */
  private static final double FIRST = 0.6;

  private static final double LEAST_SECONDS = 0.05;

  private final Function<Block, Block.Result> blocks;
  private final Progress progress;
  private final SplittableRandom random;

  /** What the last process took to start and to end. */
  private double startSeconds;

  /**
   * @param blocks measures a block, in a process of its own
   */
  public Tuner(Function<Block, Block.Result> blocks, Progress progress, long seed) {
    this.blocks = blocks;
    this.progress = progress;
    this.random = new SplittableRandom(seed);
  }

  /** What matters for these shapes here; with texts where a model has some. */
  public static List<Tunable> tunables(List<WeightShape> shapes, boolean texts) {
    List<Tunable> all = new ArrayList<>();
    for (Tunable each : Tunable.values()) {
      boolean matters =
          each.ofTexts()
              ? texts
              : shapes.stream().anyMatch(shape -> ProductBlock.concerns(each, shape));
      if (matters) all.add(each);
    }
    return all;
  }

  /** Decides on each, in about so many seconds. */
  public List<Decision> tune(List<Tunable> tunables, List<WeightShape> shapes, double seconds) {
    long begin = System.nanoTime();
    Tiling base = Tiling.preset(Tier.here());
    List<Decision> decisions = new ArrayList<>();
    for (Tunable tunable : tunables) {
      double left = seconds - (System.nanoTime() - begin) / 1e9;
      List<Tunable> rest = tunables.subList(decisions.size(), tunables.size());
      double weights = rest.stream().mapToDouble(Tuner::weight).sum();
      double share = Math.max(0, left) * weight(tunable) / weights;
      progress.step(
          "tuning %s, %d of %d".formatted(tunable.word(), decisions.size() + 1, tunables.size()));
      List<WeightShape> some =
          tunable.ofTexts() ? List.of() : ProductBlock.concerned(tunable, shapes);
      MachineLoad load = MachineLoad.now();
      Decision decision = decide(tunable, base, some, share);
      double others = MachineLoad.now().since(load).others();
      if (others > 0) decision = decision.beside(others);
      if (decision.kept()) base = base.with(tunable, decision.best());
      decisions.add(decision);
    }
    return decisions;
  }

  /** A model's texts take longer than a few products. */
  private static double weight(Tunable tunable) {
    return tunable.ofTexts() ? 3 : 1;
  }

  /** Measures a block in so many seconds, the start of its process included. */
  private Block.Result measured(
      Tunable tunable,
      Tiling base,
      List<Integer> values,
      List<WeightShape> shapes,
      double seconds) {
    double own = Math.max(LEAST_SECONDS, seconds - startSeconds);
    long begin = System.nanoTime();
    Block.Result result =
        blocks.apply(new Block(tunable, base, values, shapes, own, random.nextLong(1 << 30)));
    startSeconds = Math.max(0, (System.nanoTime() - begin) / 1e9 - own);
    return result;
  }

  private Decision decide(Tunable tunable, Tiling base, List<WeightShape> shapes, double seconds) {
    int before = base.get(tunable);
    List<Integer> others = new ArrayList<>();
    for (int value : tunable.choices(Tier.here())) if (value != before) others.add(value);
    Block.Result result = measured(tunable, base, others, shapes, seconds * FIRST);
    Decision first = Decision.first(tunable, before, result);
    if (!first.promising()) return first;
    progress.step("tuning %s, %d again".formatted(tunable.word(), first.best()));
    List<Integer> best = List.of(first.best());
    return first.again(measured(tunable, base, best, shapes, seconds * (1 - FIRST)));
  }

  /**
   * What is kept of decisions, for this machine.
   *
   * @param of what was measured, in a few words
   * @param earlierOrNull a table whose other choices stay
   */
  public static TilingTable table(List<Decision> decisions, String of, TilingTable earlierOrNull) {
    List<TilingTable.Choice> choices = new ArrayList<>();
    if (earlierOrNull != null) choices.addAll(earlierOrNull.choices());
    for (Decision each : decisions) {
      choices.removeIf(choice -> choice.tunable() == each.tunable());
      if (each.kept()) choices.add(each.choice(of));
    }
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    return new TilingTable(TilingTable.machine(Tier.here()), now, choices);
  }

  /** The table of this machine in a cache folder; null where there is none that can be used. */
  public static TilingTable kept(Path cache) {
    try {
      return TilingTable.read(file(cache), Tier.here());
    } catch (TilingTable.Unusable _) {
      return null;
    }
  }

  /** Where a table of this machine is kept. */
  public static Path file(Path cache) {
    return TilingTable.file(cache, TilingTable.machine(Tier.here()));
  }

  /** Writes a table in place of the one there; answers where. */
  public static Path write(Path cache, TilingTable table) {
    Path file = TilingTable.file(cache, table.machine());
    WholeFile.writeInFolder(file, out -> out.write(table.text().getBytes(StandardCharsets.UTF_8)));
    return file;
  }

  /** Deletes the table of this machine; answers whether there was one. */
  public static boolean reset(Path cache) {
    Path file = file(cache);
    try {
      return Files.deleteIfExists(file);
    } catch (IOException e) {
      throw FileException.of(file, e);
    }
  }
}
