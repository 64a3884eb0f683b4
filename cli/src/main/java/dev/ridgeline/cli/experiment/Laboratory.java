package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.ab.Measuring;
import dev.ridgeline.cli.line.Amounts;
import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.cli.line.Interrupt;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.profile.Revision;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.HtmlPage;
import dev.ridgeline.lab.process.Child;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.Study;
import dev.ridgeline.lab.sweep.StudyDocument;
import dev.ridgeline.lab.sweep.StudyJson;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.lab.sweep.Sweep;
import dev.ridgeline.lab.trial.ExperimentText;
import dev.ridgeline.lab.trial.Host;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.profiler.file.Interruption;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunDraft;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** Runs what an experiment plans, keeps every trial and the answer, and prints it. */
final class Laboratory {
  private static final Setting<String> THRESHOLD =
      Measuring.threshold("The smallest difference that matters.");
  private static final Setting<Integer> ROUNDS =
      Setting.number(
          "--rounds N",
          "So many rounds, however long they take, and as many again of the best arm and the"
              + " reference alone (default: as many as the budget allows).");
  private static final Setting<Boolean> JSON = Measuring.json(StudyJson.FILE);

  /** Arms that are named where there is no time for all. */
  private static final int SLOWEST = 6;

  /** Nobody waits longer for a number of rounds. */
  private static final double LONGEST = 86_400;

  private final Settings settings;
  private final Setting<String> budget;
  private final Measuring measuring;
  private double ownBudget = Double.NaN;
  private double ownThreshold = Double.NaN;

  /**
   * @param budget as {@link #settings} made it
   */
  Laboratory(Settings settings, CommandSpec spec, Setting<String> budget) {
    this.settings = settings;
    this.budget = budget;
    this.measuring = new Measuring(settings, spec, JSON, true);
  }

  /** With amounts of an experiment's own, where none were typed; NaN where it brings none. */
  Laboratory with(double budgetSeconds, double threshold) {
    ownBudget = budgetSeconds;
    ownThreshold = threshold;
    return this;
  }

  Measuring measuring() {
    return measuring;
  }

  /** {@code --budget}, with how long this experiment takes by itself. */
  static Setting<String> budget(String preset) {
    return Measuring.budget(preset, "How long it may take: 90s, 2m, 1h.");
  }

  /** Options of every experiment behind its own. */
  static Setting<?>[] settings(Setting<String> budget, Setting<?>... own) {
    List<Setting<?>> all = new ArrayList<>(List.of(own));
    all.addAll(List.of(budget, ROUNDS, THRESHOLD, Measuring.SEED, JSON));
    all.addAll(List.of(Measuring.MARKDOWN, RunOptions.RUNS));
    return all.toArray(Setting[]::new);
  }

  /** The same for an experiment whose threshold and rounds are not to be chosen. */
  static Setting<?>[] settingsWithoutThreshold(Setting<String> budget, Setting<?>... own) {
    return Stream.of(settings(budget, own))
        .filter(each -> each != THRESHOLD && each != ROUNDS)
        .toArray(Setting[]::new);
  }

  /** Seconds that it may take. */
  double budget() {
    return Amounts.seconds(budget.name(), settings.read(budget));
  }

  /**
   * Keeps and prints a study that comes about in another way than by a plan of arms.
   *
   * @param making makes it; what belongs to it goes into the folder that it is given
   */
  int keep(String name, Making making) {
    Rehearsal.endsHere();
    Instant started = Instant.now();
    try (Progress progress = measuring.progress();
        RunDraft draft = RunOptions.runs(settings).begin("experiment-" + name, started);
        Interruption _ = Interruption.tidies(draft::close)) {
      keep(making.make(draft.path(), started, progress), draft, Revision.of(), progress);
      return 0;
    }
  }

  /** How a study comes about. */
  @FunctionalInterface
  interface Making {
    Study make(Path record, Instant started, Progress progress);
  }

  /** Keeps a study, and prints it. */
  private void keep(Study study, RunDraft draft, String revision, Progress progress) {
    Document document = StudyDocument.of(study);
    draft.write(StudyJson.FILE, out -> StudyJson.write(study, out));
    draft.write(Document.PAGE, out -> HtmlPage.write(document, out));
    draft.write(run(study, revision));
    RunDirectory record = draft.commit();
    progress.close();
    measuring.print(document, record, StudyJson.FILE, out -> StudyJson.write(study, out));
  }

  /** What an experiment leaves in its record besides trials and answer. */
  @FunctionalInterface
  interface Files {
    /** Writes them, before the record is seen by anybody. */
    void write(Study study, Path record);
  }

  /**
   * Runs it.
   *
   * @param conclusion what follows from what was measured
   * @return the exit code
   */
  int run(Plan plan, Function<Sweep, Answer> conclusion) {
    return run(plan, conclusion, (_, _) -> {});
  }

  /** The same with files of its own. */
  int run(Plan plan, Function<Sweep, Answer> conclusion, Files files) {
    int rounds = settings.given(ROUNDS) ? settings.positive(ROUNDS) : plan.rounds();
    boolean counted = rounds > 0 && !settings.given(budget);
    double seconds = counted ? LONGEST : budget();
    double threshold = Amounts.fraction(THRESHOLD.name(), settings.read(THRESHOLD));
    if (!settings.given(budget) && !counted && ownBudget > 0) seconds = ownBudget;
    if (!settings.given(THRESHOLD) && ownThreshold > 0) threshold = ownThreshold;
    var question =
        new Sweep.Question(
            plan.attempts().stream().map(Attempt::arm).toList(),
            plan.reference(),
            plan.metric(),
            threshold,
            seconds,
            measuring.seed(),
            plan.aim(),
            rounds,
            plan.distinct());
    Rehearsal.endsHere();
    Instant started = Instant.now();
    try (Progress progress = measuring.progress();
        Child child = new Child();
        Interrupt interrupt = Measuring.stops(child);
        RunDraft draft = RunOptions.runs(settings).begin("experiment-" + plan.name(), started);
        Interruption _ = Interruption.tidies(draft::close)) {
      var sweep =
          new Sweep(
              question,
              plan.runner(child, draft.path()),
              (it, arm) -> progress.step(StudyText.progress(it, arm)),
              Host.HERE);
      sweep.run();
      if (sweep.rounds() == 0) {
        progress.close();
        if (sweep.wouldTake() > 0) throw new Problem(tooShort(sweep));
        return measuring.stopped(interrupt, "the first round was over");
      }
      Answer answer = conclusion.apply(sweep);
      if (sweep.wouldTake() > 0) answer = answer.but(tooShort(sweep));
      boolean failed = sweep.failure() != null;
      if (failed) answer = answer.but("it ended early, " + sweep.failure());
      Study study = Study.of(plan.name(), plan.title(), started, measuring.typed(), sweep, answer);
      files.write(study, draft.path());
      keep(study, draft, plan.ownWork() ? Revision.of() : "", progress);
      return failed && interrupt.code() == 0 ? ExitCode.BAD_ANSWER : interrupt.code();
    }
  }

  /** Which arms are slow, so that the user may leave them out; and what time all would need. */
  private String tooShort(Sweep sweep) {
    List<Map.Entry<String, Double>> costs = new ArrayList<>(sweep.costs().entrySet());
    costs.sort(Map.Entry.comparingByValue(Comparator.reverseOrder()));
    List<String> words = new ArrayList<>();
    for (var each : costs.subList(0, Math.min(SLOWEST, costs.size()))) {
      words.add("%s %s".formatted(each.getKey(), seconds(each.getValue())));
    }
    int tried = costs.size();
    if (tried > words.size()) words.add("%d others less".formatted(tried - words.size()));
    int untried = sweep.question().arms().size() - tried;
    if (untried > 0) words.add("%d not tried".formatted(untried));
    String rests =
        sweep.rounds() > 0 ? "this rests on one cold trial of each; one takes" : "a trial takes";
    return "%s %s: no time for one round; %s: %s. Leave out what is slow, or --budget %s would do"
        .formatted(
            budget.name(),
            ExperimentText.budget(sweep.question().budgetSeconds()),
            rests,
            String.join(", ", words),
            ExperimentText.budget(sweep.wouldTake()));
  }

  private static String seconds(double seconds) {
    return Quantity.fixed(seconds, seconds < 10 ? 1 : 0) + " s";
  }

  /** What makes the record a run like others. */
  private Run run(Study study, String revision) {
    Outcome outcome = study.outcome();
    Reading.Value deciding = outcome.metric(study.setting().metric());
    List<Metric> metrics = new ArrayList<>();
    Map<String, String> what = new LinkedHashMap<>();
    what.put("experiment", study.setting().name());
    for (Arm arm : outcome.arms()) {
      what.put("arm " + arm.name(), words(arm.parameters()));
      if (deciding == null) continue;
      double[] values = outcome.values(arm.name(), deciding.name());
      if (values.length == 0) continue;
      String metric = arm.name() + ": " + deciding.name();
      metrics.add(Metric.of(metric, deciding.unit(), deciding.better(), values));
    }
    String name = "experiment-" + study.setting().name();
    Instant started = study.setting().started();
    return measuring.run(name, study.answer().headline(), started, revision, what, metrics);
  }

  /** {@code workers 1, strategy packed}. */
  private static String words(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(each -> each.getKey() + " " + each.getValue())
        .collect(Collectors.joining(", "));
  }
}
