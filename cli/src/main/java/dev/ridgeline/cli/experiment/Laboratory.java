package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.ab.Child;
import dev.ridgeline.cli.line.Amounts;
import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.cli.line.Interrupt;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.cli.profile.Revision;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.lab.document.ConsoleText;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.HtmlPage;
import dev.ridgeline.lab.document.MarkdownText;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.Study;
import dev.ridgeline.lab.sweep.StudyDocument;
import dev.ridgeline.lab.sweep.StudyJson;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.lab.sweep.Sweep;
import dev.ridgeline.lab.trial.ExperimentText;
import dev.ridgeline.lab.trial.Patience;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Interruption;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunDraft;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
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
      Setting.text("--threshold PERCENT", "2%", "The smallest difference that matters.");
  private static final Setting<Long> SEED =
      Setting.number(
          "--seed N", Long.class, "Seed of the order of trials (default: by the clock).");
  private static final Setting<Integer> ROUNDS =
      Setting.number(
          "--rounds N",
          "So many rounds, however long they take, and as many again of the best arm and the"
              + " reference alone (default: as many as the budget allows).");
  private static final Setting<Boolean> JSON =
      Setting.flag("--json", "Print sweep.json, and nothing else.");
  private static final Setting<Boolean> MARKDOWN = Setting.flag("--markdown", "Print Markdown.");

  /** Arms that are named where there is no time for all. */
  private static final int SLOWEST = 6;

  /** Nobody waits longer for a number of rounds. */
  private static final double LONGEST = 86_400;

  private final Settings settings;
  private final CommandSpec spec;
  private final Setting<String> budget;

  /**
   * @param budget as {@link #settings} made it
   */
  Laboratory(Settings settings, CommandSpec spec, Setting<String> budget) {
    this.settings = settings;
    this.spec = spec;
    this.budget = budget;
  }

  /** {@code --budget}, with how long this experiment takes by itself. */
  static Setting<String> budget(String preset) {
    return Setting.text("--budget TIME", preset, "How long it may take: 90s, 2m, 1h.");
  }

  /** Options of every experiment behind its own. */
  static Setting<?>[] settings(Setting<String> budget, Setting<?>... own) {
    List<Setting<?>> all = new ArrayList<>(List.of(own));
    all.addAll(List.of(budget, ROUNDS, THRESHOLD, SEED, JSON, MARKDOWN, RunOptions.RUNS));
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

  /** The seed of the order. */
  long seed() {
    Long given = settings.read(SEED);
    return given == null ? System.nanoTime() & 0xffff_ffffL : given;
  }

  /**
   * Keeps and prints a study that comes about in another way than by a plan of arms.
   *
   * @param making makes it; what belongs to it goes into the folder that it is given
   */
  int keep(String name, Making making) {
    boolean json = settings.read(JSON);
    boolean markdown = settings.read(MARKDOWN);
    if (json && markdown) throw new Problem("--json or --markdown, not both");
    Rehearsal.endsHere();
    Instant started = Instant.now();
    try (Progress progress = progress();
        RunDraft draft = RunOptions.runs(settings).begin("experiment-" + name, started);
        Interruption _ = Interruption.tidies(draft::close)) {
      Study study = making.make(draft.path(), started, progress);
      RunDirectory record = keep(study, draft, Revision.of());
      progress.close();
      print(study, record, json, markdown);
      return 0;
    }
  }

  /** How a study comes about. */
  @FunctionalInterface
  interface Making {
    Study make(Path record, Instant started, Progress progress);
  }

  private RunDirectory keep(Study study, RunDraft draft, String revision) {
    draft.write(StudyJson.FILE, out -> StudyJson.write(study, out));
    draft.write(Document.PAGE, out -> HtmlPage.write(StudyDocument.of(study), out));
    draft.write(run(study, revision));
    return draft.commit();
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

  /** What an experiment leaves in its record besides trials and answer. */
  @FunctionalInterface
  interface Files {
    /** Writes them, before the record is seen by anybody. */
    void write(Study study, Path record);
  }

  /** The same with files of its own. */
  int run(Plan plan, Function<Sweep, Answer> conclusion, Files files) {
    return run(plan, conclusion, files, Double.NaN, Double.NaN);
  }

  /**
   * The same for an experiment that brings amounts of its own, where none were typed.
   *
   * @param ownBudget in seconds; NaN where it brings none
   * @param ownThreshold as a part; NaN where it brings none
   */
  int run(Plan plan, Function<Sweep, Answer> conclusion, double ownBudget, double ownThreshold) {
    return run(plan, conclusion, (_, _) -> {}, ownBudget, ownThreshold);
  }

  private int run(
      Plan plan,
      Function<Sweep, Answer> conclusion,
      Files files,
      double ownBudget,
      double ownThreshold) {
    int rounds = settings.given(ROUNDS) ? settings.positive(ROUNDS) : plan.rounds();
    boolean counted = rounds > 0 && !settings.given(budget);
    double seconds = counted ? LONGEST : budget();
    double threshold = Amounts.fraction(THRESHOLD.name(), settings.read(THRESHOLD));
    if (!settings.given(budget) && !counted && ownBudget > 0) seconds = ownBudget;
    if (!settings.given(THRESHOLD) && ownThreshold > 0) threshold = ownThreshold;
    long seed = seed();
    boolean json = settings.read(JSON);
    boolean markdown = settings.read(MARKDOWN);
    if (json && markdown) throw new Problem("--json or --markdown, not both");
    var question =
        new Sweep.Question(
            plan.attempts().stream().map(Attempt::arm).toList(),
            plan.reference(),
            plan.metric(),
            threshold,
            seconds,
            seed,
            plan.aim(),
            rounds,
            plan.distinct());
    Rehearsal.endsHere();
    Instant started = Instant.now();
    try (Progress progress = progress();
        Child child = new Child();
        Interrupt interrupt = Interrupt.does(() -> stop(child));
        RunDraft draft = RunOptions.runs(settings).begin("experiment-" + plan.name(), started);
        Interruption _ = Interruption.tidies(draft::close)) {
      var sweep =
          new Sweep(
              question,
              new ArmTrials(child, plan, draft.path(), new Patience(seconds)),
              (it, arm) -> progress.step(StudyText.progress(it, arm)),
              System::nanoTime);
      sweep.run();
      if (sweep.wouldTake() > 0 && sweep.rounds() == 0) {
        progress.close();
        throw new Problem(tooShort(sweep));
      }
      if (sweep.rounds() == 0) {
        progress.close();
        spec.commandLine().getErr().println("ridgeline: stopped before the first round was over");
        return interrupt.code() == 0 ? 130 : interrupt.code();
      }
      Answer answer = conclusion.apply(sweep);
      if (sweep.wouldTake() > 0) answer = answer.but(tooShort(sweep));
      boolean failed = sweep.failure() != null;
      if (failed) answer = answer.but("it ended early, " + sweep.failure());
      Study study = study(plan, sweep, started, answer);
      files.write(study, draft.path());
      RunDirectory record = keep(study, draft, plan.ownWork() ? Revision.of() : "");
      progress.close();
      print(study, record, json, markdown);
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

  private static boolean stop(Child child) {
    child.stop();
    return true;
  }

  private Progress progress() {
    PrintWriter err = spec.commandLine().getErr();
    return Terminal.detect().errors() ? Progress.on(err) : Progress.silent();
  }

  private Study study(Plan plan, Sweep sweep, Instant started, Answer answer) {
    Sweep.Question question = sweep.question();
    String metric = sweep.metric();
    return new Study(
        new Study.Setting(
            plan.name(),
            plan.title(),
            started,
            typed(),
            metric == null ? "" : metric,
            question.threshold(),
            question.budgetSeconds(),
            question.seed()),
        sweep.took(),
        sweep.rounds(),
        sweep.repeated(),
        sweep.stopped(),
        sweep.outcome(),
        sweep.winner(),
        answer);
  }

  List<String> typed() {
    return Stream.concat(
            Stream.of("ridgeline"),
            spec.root().commandLine().getParseResult().originalArgs().stream())
        .toList();
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
      String name = arm.name() + ": " + deciding.name();
      metrics.add(Metric.of(name, deciding.unit(), deciding.better(), values));
    }
    return new Run(
        "experiment-" + study.setting().name(),
        study.answer().headline(),
        study.setting().started(),
        study.setting().command(),
        settings.asOptions(),
        Machine.here(),
        revision,
        what,
        Map.of(),
        "",
        metrics);
  }

  /** {@code workers 1, strategy packed}. */
  private static String words(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(each -> each.getKey() + " " + each.getValue())
        .collect(Collectors.joining(", "));
  }

  private void print(Study study, RunDirectory record, boolean json, boolean markdown) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try {
        StudyJson.write(study, bytes);
      } catch (IOException e) {
        throw Problem.of(e);
      }
      out.println(bytes.toString(StandardCharsets.UTF_8).stripTrailing());
    } else {
      Document document = StudyDocument.of(study).keptIn(record.path().toString(), StudyJson.FILE);
      var lines = markdown ? MarkdownText.lines(document) : ConsoleText.lines(document);
      lines.forEach(out::println);
    }
    out.flush();
  }
}
