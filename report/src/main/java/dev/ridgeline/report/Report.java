package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.roofline.Bounds;
import java.util.List;

/**
 * What every format draws: the answer, what ran where, the profile, and what to do about it.
 *
 * @param headline the answer
 * @param system the machine and the JVM
 * @param workload what was run, with which options
 * @param profile the measurement
 * @param tree its merged tree
 * @param findings what fired, most worth first
 * @param series how something changes along an axis
 * @param bounds how far the scopes of the tree are from what the machine allows
 */
public record Report(
    Headline headline,
    List<Fact> system,
    List<Fact> workload,
    Profile profile,
    CallTree tree,
    List<Finding> findings,
    List<Series> series,
    Bounds bounds) {

  public Report {
    system = List.copyOf(system);
    workload = List.copyOf(workload);
    findings = List.copyOf(findings);
    series = List.copyOf(series);
  }

  /** A report without series, of a machine that nothing is known about. */
  public Report(
      Headline headline,
      List<Fact> system,
      List<Fact> workload,
      Profile profile,
      CallTree tree,
      List<Finding> findings) {
    this(headline, system, workload, profile, tree, findings, List.of(), Bounds.NONE);
  }

  /**
   * The same with families of numbered scopes and recursion as one: what is hot in every layer is
   * hot once.
   */
  Report folded() {
    return withTree(tree.folded(profile));
  }

  /** The same with families of numbered scopes as one, and every level of a recursion. */
  Report withoutNumbers() {
    return withTree(tree.withoutNumbers(profile));
  }

  /** Its hottest paths, in the order and with the numbers of every table. */
  public List<HotPath> hot(int most) {
    Report folded = folded();
    return new Ranking(folded, most).hot().stream().map(n -> new HotPath(n, folded)).toList();
  }

  /** The same with all places of a name as one. */
  Report byName() {
    return withTree(CallTree.byName(profile));
  }

  /** The same with times as they were measured, the recorder's own cost still in them. */
  Report raw() {
    Profile raw = profile.calibrated(Profile.Calibration.NONE);
    CallTree measured = raw.tree();
    Bounds reached = Bounds.of(raw, measured, bounds.ceilings());
    return new Report(headline, system, workload, raw, measured, findings, series, reached);
  }

  private Report withTree(CallTree folded) {
    return folded == tree
        ? this
        : new Report(
            headline,
            system,
            workload,
            profile,
            folded,
            findings,
            series,
            bounds.folded(profile, tree, folded));
  }

  /**
   * The first lines a reader sees.
   *
   * @param title what ran, in one line
   * @param subtitle where it ran, in one line
   * @param figures the few numbers that answer the question, most important first
   */
  public record Headline(String title, String subtitle, List<Figure> figures) {
    public Headline {
      figures = List.copyOf(figures);
    }
  }

  /**
   * A number and what it is: {@code 231 GFLOP/s ±2 %}, {@code matmul 1024, median of 5}.
   *
   * @param doubt why it may not be true, in a few words; empty where there is nothing to doubt
   */
  public record Figure(String value, String label, String doubt) {
    /** One without doubt. */
    public Figure(String value, String label) {
      this(value, label, "");
    }
  }

  /** A line of a header: {@code cores}, {@code 2}. */
  public record Fact(String name, String value) {}
}
