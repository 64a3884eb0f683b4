package dev.ridgeline.cli.profile;

import dev.ridgeline.cli.async.AsyncLibrary;
import dev.ridgeline.cli.embed.Embed;
import dev.ridgeline.cli.foreign.ForeignProgram;
import dev.ridgeline.cli.generate.Generate;
import dev.ridgeline.cli.kernels.Kernels;
import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.cli.line.Interrupt;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.line.Subcommand;
import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.models.ModelOptions.Repack;
import dev.ridgeline.cli.op.Op;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.cli.report.Screen;
import dev.ridgeline.cli.train.Train;
import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.cli.workload.Recording;
import dev.ridgeline.cli.workload.SlowPath;
import dev.ridgeline.cli.workload.Workload;
import dev.ridgeline.cli.workload.WorkloadKind;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Sampling;
import dev.ridgeline.profiler.file.Interruption;
import dev.ridgeline.report.Column;
import dev.ridgeline.report.Format;
import dev.ridgeline.report.Report;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Drawing;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunDraft;
import dev.ridgeline.report.run.RunReport;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code profile} command. */
@Command(
    name = "profile",
    description = {
      "Runs a workload, or any Java program, under the profiler, shows its hot paths and keeps the"
          + " run.",
      "With -- COMMAND, input, output and exit code are the program's own."
    },
    footer = {
      "  ridgeline profile                            the bundled texts on the default model",
      "  ridgeline profile embed -m bge-small-en-v1.5:f32 --strategy coarse",
      "  ridgeline profile generate                   the default model, token by token",
      "  ridgeline profile generate -m model.gguf -p 'Once upon a time' -n 200",
      "  ridgeline profile train                      a small model that learns, step by step",
      "  ridgeline profile train -c mine.json --steps 20",
      "  ridgeline profile train --help               the options of one workload",
      "  ridgeline profile kernels                    a first look at this machine",
      "  ridgeline profile --deep --filter softmax    one operation in many sizes",
      "  ridgeline profile op matmul --type q4_k --shape 1x2048x2048",
      "  ridgeline profile --allocation               what reusing memory saves",
      "  ridgeline profile --level trace              with a timeline per thread",
      "  ridgeline profile --sample                   and which code is hot inside each scope",
      "  ridgeline profile --sampler async            native code, too, by async-profiler",
      "  ridgeline profile --sampler async --event cache-misses",
      "  ridgeline profile --json                     a summary for a program",
      "  ridgeline profile --scope 'com.acme.**' -- java -jar app.jar",
      "  ridgeline profile --scope Engine.forward --pid 4711 --duration 10s",
    })
public final class ProfileCommand extends Subcommand {
  /** What can be profiled. */
  public static final List<WorkloadKind> KINDS =
      List.of(Embed.KIND, Generate.KIND, Train.KIND, Kernels.KIND, Op.KIND);

  private static final Setting<Integer> TOP =
      Setting.number("--top N", 15, "Hot paths to show; implies --full.");
  private static final Setting<String> NAME =
      Setting.text("--name WORD", "Name of the run (default: the workload's).");
  private static final Setting<Boolean> JSON =
      Setting.flag("--json", "Print only a summary, as JSON.");
  private static final Setting<Boolean> QUIET =
      Setting.flag("--quiet", "Print only the path of the run.");

  private static final List<Setting<?>> COMMON =
      List.of(
          Recorded.LEVEL,
          Recorded.SAMPLE,
          Recorded.SAMPLER,
          Recorded.EVENT,
          TOP,
          RunOptions.FULL,
          Recorded.FORMATS,
          RunOptions.TRACE_LIMIT,
          Roof.CEILINGS,
          RunOptions.RUNS,
          NAME,
          JSON,
          QUIET);

  public ProfileCommand() {
    super(new Settings(settings(), ProfileCommand::owner));
  }

  @Parameters(
      arity = "0..*",
      paramLabel = "WORKLOAD",
      description = {
        "What to run: embed (the default, followed by your own texts if you like), generate"
            + " (with a prompt of your own), train, kernels, op (followed by an operation), or"
            + " -- and the command of a program."
      })
  private List<String> words = List.of();

  private static List<Setting<?>> settings() {
    List<Setting<?>> all = new ArrayList<>();
    for (WorkloadKind kind : KINDS) {
      for (Setting<?> each : kind.settings()) if (!all.contains(each)) all.add(each);
    }
    all.addAll(COMMON);
    all.addAll(ForeignProgram.SETTINGS);
    return all;
  }

  /** Where a workload was named, its help is asked for; to be called before help is printed. */
  public void narrowHelp() {
    KINDS.stream()
        .filter(kind -> !words.isEmpty() && kind.name().equals(words.getFirst()))
        .findFirst()
        .ifPresent(kind -> WorkloadHelp.narrow(spec, kind, settings(), COMMON));
  }

  /** The workloads that read it. */
  private static String owner(Setting<?> setting) {
    return KINDS.stream()
        .filter(kind -> kind.settings().contains(setting))
        .map(WorkloadKind::name)
        .collect(Collectors.joining(" and "));
  }

  /** Whatever may be wrong with the question is found before anything long begins. */
  @Override
  public Integer call() throws IOException {
    if (isForeign()) return foreign();
    WorkloadKind kind = kind();
    refuseOptionsOfOthers(kind);
    Screen screen = screen();
    int top = screen.top();
    Recorded recorded = Recorded.of(settings);
    Sampling sampling = recorded.sampling();
    List<String> notes = new ArrayList<>();
    long limit = RunOptions.traceLimit(settings, recorded.formats());
    Drawing.Manner manner = new Drawing.Manner(top, Column.SELF, limit, notes::add);
    String name = name();
    boolean json = settings.read(JSON);
    boolean quiet = !json && settings.read(QUIET);
    Runs runs = RunOptions.runs(settings);
    List<String> rest = words.isEmpty() ? List.of() : words.subList(1, words.size());
    try (Progress progress = shown(json || quiet);
        Workload what = kind.maker().make(settings, rest, progress)) {
      require(recorded.level(), what);
      Rehearsal.endsHere();
      Instant started = Instant.now();
      try (RunDraft draft = runs.begin(name == null ? what.name() : name, started);
          Interruption _ = Interruption.tidies(draft::close);
          Interrupt interrupt = Interrupt.does(what::cancel)) {
        progress.log(what.title());
        Ceilings ceilings = Roof.of(settings, progress);
        if (recorded.formats().contains(Format.JFR)) {
          Path file = draft.path().resolve(Format.JFR.fileName());
          sampling = sampling.withRecording(file, limit);
        }
        Options options = Options.of(recorded.level()).withSampling(sampling);
        Profile profile = Recording.of(what, options, progress);
        progress.step("checking results");
        Outcome outcome = what.outcome(profile);
        Run run = run(name == null ? what.name() : name, what, started, profile, outcome, ceilings);
        Report report = RunReport.of(run, profile);
        progress.step("writing the run");
        RunDirectory directory = keep(draft, run, report, recorded.formats(), manner, progress);
        progress.close();
        notes.forEach(this::tell);
        if (json) Summary.of(directory, run, report, outcome, top).print(out());
        else if (quiet) out().println(directory.path());
        else out().print(screen.draw(report, directory, Terminal.detect()));
        int verdict = verdict(outcome);
        return interrupt.code() == 0 ? verdict : interrupt.code();
      }
    }
  }

  private Screen screen() {
    boolean full = RunOptions.full(settings, TOP);
    return new Screen(full, settings.positive(TOP), Column.SELF);
  }

  /** A name that would have to be changed to name a directory is refused, not changed. */
  private String name() {
    String name = settings.read(NAME);
    if (name == null || name.matches("[\\p{L}\\p{M}\\p{N}._-]{1,60}")) return name;
    throw new Problem("--name " + name + ": at most 60 letters, digits, '.', '_' and '-'");
  }

  /** Everything behind the -- is another program's, and a process id means one, too. */
  private boolean isForeign() {
    List<String> typed = spec.root().commandLine().getParseResult().originalArgs();
    return typed.contains("--") || settings.given(ForeignProgram.PID);
  }

  /** The command line with the workload that options alone stand for, to be typed again. */
  private List<String> typed() {
    List<String> typed = new ArrayList<>(List.of("ridgeline"));
    typed.addAll(spec.root().commandLine().getParseResult().originalArgs());
    if (words.isEmpty()) typed.add(typed.indexOf(spec.name()) + 1, kind().name());
    return List.copyOf(typed);
  }

  private int foreign() {
    Recorded recorded = Recorded.of(settings);
    Path ceilings;
    try (Progress progress = shown(settings.read(QUIET))) {
      ceilings = Roof.file(settings, progress);
    }
    String sampled =
        recorded.sample() == SampleKind.NONE && !settings.given(Recorded.SAMPLE)
            ? null
            : Recorded.word(recorded.sample());
    Path library = recorded.async() ? AsyncLibrary.find() : null;
    ForeignProgram program =
        new ForeignProgram(
            settings,
            new ForeignProgram.Recorded(
                recorded.level(),
                sampled,
                library,
                recorded.event(),
                recorded.formats(),
                name(),
                ceilings),
            screen(),
            spec.commandLine());
    return program.profile(words, settings.read(JSON), settings.read(QUIET));
  }

  private WorkloadKind kind() {
    return words.isEmpty() ? kindOfOptions() : kind(words.getFirst());
  }

  /** A workload by its name; another word is a {@link Problem}. */
  public static WorkloadKind kind(String workload) {
    for (WorkloadKind kind : KINDS) if (kind.name().equals(workload)) return kind;
    List<String> names = KINDS.stream().map(WorkloadKind::name).toList();
    throw new Problem("unknown workload '" + workload + "'; there is " + String.join(", ", names));
  }

  /** The first workload that knows every option of a workload that was given. */
  private WorkloadKind kindOfOptions() {
    List<String> given =
        KINDS.stream()
            .flatMap(kind -> kind.settings().stream())
            .filter(settings::typed)
            .map(Setting::name)
            .distinct()
            .toList();
    for (WorkloadKind kind : KINDS) if (kind.knows(given)) return kind;
    throw new Problem(
        "%s are options of different workloads: name one of %s"
            .formatted(
                String.join(", ", given),
                KINDS.stream().map(WorkloadKind::name).collect(Collectors.joining(", "))));
  }

  /** An option of another workload is a bad question: no part of the run would answer it. */
  private void refuseOptionsOfOthers(WorkloadKind kind) {
    for (Setting<?> each : settings()) {
      if (!settings.typed(each)) continue;
      List<String> option = List.of(each.name());
      List<String> owners =
          KINDS.stream().filter(one -> one.knows(option)).map(WorkloadKind::name).toList();
      if (owners.contains(kind.name())) continue;
      if (!owners.isEmpty()) {
        throw new Problem("%s belongs to %s".formatted(each.name(), String.join(" and ", owners)));
      }
      if (ForeignProgram.SETTINGS.contains(each)) {
        throw new Problem(each.name() + " is for your own program: -- COMMAND, or --pid");
      }
    }
  }

  private static void require(Level level, Workload what) {
    if (level.compareTo(what.least()) >= 0) return;
    throw new Problem(
        "--level %s: %s needs %s at least"
            .formatted(Recorded.word(level), what.name(), Recorded.word(what.least())));
  }

  /** Drawn or nothing: what a pipe should know, the report says. */
  private Progress shown(boolean silent) {
    return progress(silent || !Terminal.detect().errors());
  }

  private Run run(
      String name,
      Workload what,
      Instant started,
      Profile profile,
      Outcome outcome,
      Ceilings ceilings) {
    Map<String, String> configuration = new LinkedHashMap<>(outcome.configuration());
    configuration.put("level", Recorded.word(profile.level()));
    SampleKind sample = settings.read(Recorded.SAMPLE);
    if (sample != SampleKind.NONE) {
      configuration.put("sampled", Recorded.word(sample) + " by " + settings.read(Recorded.EVENT));
    }
    Map<String, String> plan = new LinkedHashMap<>(outcome.plan());
    String engine = profile.samples().engine();
    if (!engine.isEmpty()) plan.put("sampler", engine);
    return new Run(
        name,
        what.title(),
        started,
        typed(),
        settings.asOptions(),
        Machine.here(),
        Revision.of(),
        configuration,
        plan,
        SlowPath.conditions(outcome, settings.value(ModelOptions.REPACK) == Repack.YES, ceilings),
        outcome.digest(),
        outcome.metrics(),
        outcome.series(),
        outcome.units(),
        ceilings);
  }

  private static RunDirectory keep(
      RunDraft draft,
      Run run,
      Report report,
      List<Format> formats,
      Drawing.Manner manner,
      Progress progress) {
    draft.write(run);
    draft.write(report.profile());
    for (Format format : formats) {
      if (format == Format.JFR) continue; // it is there already
      String refusal = format.refusal(report.profile(), run.ceilings());
      if (refusal != null) {
        manner.notes().accept(refusal);
        continue;
      }
      draft.write(format.fileName(), Drawing.content(format, report, manner));
    }
    draft.write("run.log", Drawing.text(String.join("\n", progress.log()) + "\n"));
    return draft.commit();
  }

  private int verdict(Outcome outcome) {
    for (String wrong : outcome.wrong()) tell("wrong result: " + wrong);
    return outcome.wrong().isEmpty() ? 0 : ExitCode.BAD_ANSWER;
  }
}
