package dev.ridgeline.cli.profile;

import dev.ridgeline.cli.Interrupt;
import dev.ridgeline.cli.Main;
import dev.ridgeline.cli.Problem;
import dev.ridgeline.cli.Rehearsal;
import dev.ridgeline.cli.Setting;
import dev.ridgeline.cli.Settings;
import dev.ridgeline.cli.Settings.Origin;
import dev.ridgeline.cli.Terminal;
import dev.ridgeline.cli.async.AsyncLibrary;
import dev.ridgeline.cli.embed.Embed;
import dev.ridgeline.cli.foreign.ForeignProgram;
import dev.ridgeline.cli.generate.Generate;
import dev.ridgeline.cli.kernels.Kernels;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.models.ModelOptions.Repack;
import dev.ridgeline.cli.op.Op;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.cli.report.Screen;
import dev.ridgeline.cli.train.Train;
import dev.ridgeline.profiler.AsyncProfiler;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Samples;
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
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code profile} command. */
@Command(
    name = "profile",
    description = {
      "Runs a workload, or any Java program, under the profiler, shows its hot paths and keeps the"
          + " run.",
      "With -- COMMAND the exit code is the program's own, and so are its input and output."
    },
    sortOptions = false,
    footer = {
      "",
      "Examples:",
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
public final class ProfileCommand implements Callable<Integer> {
  /** What can be profiled. */
  public static final List<WorkloadKind> KINDS =
      List.of(Embed.KIND, Generate.KIND, Train.KIND, Kernels.KIND, Op.KIND);

  private static final Setting<String> LEVEL =
      Setting.text(
          "--level",
          "LEVEL",
          "allocation",
          "What is recorded: time, allocation or trace; each includes the one before.");
  private static final Setting<SampleKind> SAMPLE =
      Setting.choice(
              "--sample",
              SampleKind.class,
              "WHAT",
              SampleKind.NONE,
              "Sample stacks, too: cpu, alloc or all.")
          .orBare("all");
  private static final Setting<SamplerKind> SAMPLER =
      Setting.choice(
          "--sampler",
          SamplerKind.class,
          "WHO",
          SamplerKind.JFR,
          "Who samples: jfr, or async (async-profiler, with native frames).");
  private static final Setting<String> EVENT =
      Setting.text(
          "--event",
          "WHAT",
          "cpu",
          "What async samples by: "
              + Stream.of(Samples.Event.values())
                  .map(Samples.Event::id)
                  .collect(Collectors.joining(", "))
              + ".");
  private static final Setting<Integer> TOP =
      Setting.number("--top", "N", 15, "Hot paths to show, with all else.");
  private static final Setting<String> FORMATS =
      Setting.text(
          "--formats",
          "LIST",
          "html,md,top",
          "Files to draw in addition to profile.json, all or none; raises the level to what they"
              + " need.");
  private static final Setting<String> NAME =
      Setting.text("--name", "WORD", null, "Name of the run (default: the workload's).");
  private static final Setting<Boolean> JSON =
      Setting.flag("--json", "Print a summary for programs, and nothing else.");
  private static final Setting<Boolean> QUIET =
      Setting.flag("--quiet", "Print only where the run is.");

  private static final List<Setting<?>> COMMON =
      List.of(
          LEVEL,
          SAMPLE,
          SAMPLER,
          EVENT,
          TOP,
          RunOptions.FULL,
          FORMATS,
          RunOptions.TRACE_LIMIT,
          Roof.CEILINGS,
          RunOptions.RUNS,
          NAME,
          JSON,
          QUIET);

  @Mixin private final Settings settings = new Settings(settings(), ProfileCommand::owner);

  @Parameters(
      arity = "0..*",
      paramLabel = "WORKLOAD",
      description = {
        "What to run: embed (the default, followed by your own texts if you like), generate"
            + " (with a prompt of your own), train, kernels, op (followed by an operation), or"
            + " -- and the command of a program."
      })
  private List<String> words = List.of();

  @Spec private CommandSpec spec;

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
  public Integer call() {
    if (isForeign()) return foreign();
    WorkloadKind kind = kind();
    refuseOptionsOfOthers(kind);
    Screen screen = screen();
    int top = screen.top();
    List<Format> formats = formats();
    Level level = level(formats);
    SampleKind sample = sample(formats);
    Samples.Event event = event(sample);
    AsyncProfiler async = async() ? AsyncLibrary.load() : null;
    List<String> notes = new ArrayList<>();
    Drawing.Manner manner =
        new Drawing.Manner(top, Column.SELF, RunOptions.traceLimit(settings, formats), notes::add);
    String name = name();
    boolean json = settings.read(JSON);
    boolean quiet = !json && settings.read(QUIET);
    Runs runs = RunOptions.runs(settings);
    List<String> rest = words.isEmpty() ? List.of() : words.subList(1, words.size());
    try (Progress progress = progress(json || quiet);
        Workload what = kind.maker().make(settings, rest, progress)) {
      require(level, what);
      Rehearsal.endsHere();
      Instant started = Instant.now();
      try (RunDraft draft = runs.begin(name == null ? what.name() : name, started);
          Interruption _ = Interruption.tidies(draft::close);
          Interrupt interrupt = Interrupt.does(what::cancel)) {
        progress.note(what.title());
        Ceilings ceilings = Roof.of(settings, progress);
        Sampling sampling = sample.sampling(async, event);
        if (formats.contains(Format.JFR)) {
          Path file = draft.path().resolve(Format.JFR.fileName());
          sampling = sampling.withRecording(file, manner.traceLimit());
        }
        Profile profile = Recording.of(what, Options.of(level).withSampling(sampling), progress);
        progress.show("checking results");
        Outcome outcome = what.outcome(profile);
        Run run = run(name == null ? what.name() : name, what, started, profile, outcome, ceilings);
        Report report = RunReport.of(run, profile);
        progress.show("writing the run");
        RunDirectory directory = keep(draft, run, report, formats, manner, progress);
        progress.close();
        notes.forEach(note -> spec.commandLine().getErr().println("ridgeline: " + note));
        PrintWriter out = spec.commandLine().getOut();
        if (json) Summary.of(directory, run, report, outcome, top).print(out);
        else if (quiet) out.println(directory.path());
        else out.print(screen.draw(report, directory, Terminal.detect()));
        int verdict = verdict(outcome);
        return interrupt.code() == 0 ? verdict : interrupt.code();
      }
    }
  }

  private Screen screen() {
    boolean full = RunOptions.full(settings, TOP);
    return new Screen(full, RunOptions.positive(settings, TOP), Column.SELF);
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
    List<Format> formats = formats();
    SampleKind sample = sample(formats);
    Samples.Event event = event(sample);
    Path ceilings;
    try (Progress progress = progress(settings.read(QUIET))) {
      ceilings = Roof.file(settings, progress);
    }
    ForeignProgram program =
        new ForeignProgram(
            settings,
            level(formats),
            new ForeignProgram.Sampled(
                sample == SampleKind.NONE && !settings.given(SAMPLE) ? null : word(sample),
                async() ? AsyncLibrary.find() : null,
                event),
            screen(),
            formats,
            name(),
            RunOptions.runs(settings),
            ceilings,
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
            .filter(each -> settings.origin(each) == Origin.COMMAND_LINE)
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
      if (settings.origin(each) != Origin.COMMAND_LINE) continue;
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

  private List<Format> formats() {
    if (settings.read(FORMATS).equals("none")) return List.of();
    List<Format> formats = RunOptions.formats(settings, FORMATS, RunOptions.files());
    if (formats.contains(Format.CONSOLE)) {
      throw new Problem("--formats: console is no file, it is printed");
    }
    for (Format format : formats) {
      if (format.compares()) throw new Problem("--formats: " + format.refusal(null));
    }
    return formats.stream().filter(format -> format != Format.JSON).toList();
  }

  /** What is recorded: as much as the formats need, unless that was asked to be less. */
  private Level level(List<Format> formats) {
    Level level = level(LEVEL.name(), settings.read(LEVEL));
    for (Format format : formats) {
      if (format.level().compareTo(level) <= 0) continue;
      if (settings.given(LEVEL)) {
        throw new Problem(
            "--formats: %s needs --level %s".formatted(format.id(), word(format.level())));
      }
      level = format.level();
    }
    return level;
  }

  /** What is sampled: what the formats need unless that was asked to be less. */
  private SampleKind sample(List<Format> formats) {
    SampleKind sample = settings.read(SAMPLE);
    for (Format format : formats) {
      if (!format.needsSamples() || sample.cpu()) continue;
      if (settings.given(SAMPLE)) {
        throw new Problem("--formats: %s needs --sample cpu".formatted(format.id()));
      }
      sample = SampleKind.ALL;
    }
    if (sample != SampleKind.NONE || !settings.given(SAMPLER)) return sample;
    if (settings.given(SAMPLE))
      throw new Problem("--sampler: --sample=none leaves it nothing to do");
    return SampleKind.ALL;
  }

  private boolean async() {
    return settings.read(SAMPLER) == SamplerKind.ASYNC;
  }

  /** What makes a thread be sampled; the flight recorder knows CPU time alone. */
  private Samples.Event event(SampleKind sample) {
    Samples.Event event;
    try {
      event = Samples.Event.of(settings.read(EVENT));
    } catch (IllegalArgumentException e) {
      throw new Problem("--event " + e.getMessage(), e);
    }
    if (event == Samples.Event.CPU) return event;
    if (!async()) throw new Problem("--event %s: needs --sampler async".formatted(event.id()));
    if (!sample.cpu()) throw new Problem("--event %s: needs --sample=cpu".formatted(event.id()));
    return event;
  }

  /**
   * A level by its name; another word is a {@link Problem}.
   *
   * @param option as it was typed
   */
  static Level level(String option, String word) {
    for (Level level : Level.values()) {
      if (level != Level.OFF && level.name().equalsIgnoreCase(word)) return level;
    }
    throw new Problem("%s %s: time, allocation or trace".formatted(option, word));
  }

  private static void require(Level level, Workload what) {
    if (level.compareTo(what.least()) >= 0) return;
    throw new Problem(
        "--level %s: %s needs %s at least".formatted(word(level), what.name(), word(what.least())));
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private Progress progress(boolean silent) {
    if (silent) return Progress.silent();
    PrintWriter err = spec.commandLine().getErr();
    return Terminal.detect().errors() ? Progress.on(err) : Progress.silent();
  }

  private Run run(
      String name,
      Workload what,
      Instant started,
      Profile profile,
      Outcome outcome,
      Ceilings ceilings) {
    Map<String, String> configuration = new LinkedHashMap<>(outcome.configuration());
    configuration.put("level", word(profile.level()));
    SampleKind sample = settings.read(SAMPLE);
    if (sample != SampleKind.NONE) {
      configuration.put("sampled", word(sample) + " by " + settings.read(EVENT));
    }
    Map<String, String> plan = new LinkedHashMap<>(outcome.plan());
    String engine = profile.samples().engine();
    if (!engine.isEmpty()) plan.put("sampler", engine);
    return new Run(
        name,
        what.title(),
        started,
        typed(),
        settings.choices().stream()
            .map(
                choice ->
                    new Run.Option(
                        choice.name(),
                        choice.value() == null ? "" : choice.value(),
                        isGiven(choice),
                        choice.read()))
            .toList(),
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

  /** A variable of the environment is meant for many commands: it counts where it is read. */
  private static boolean isGiven(Settings.Choice choice) {
    return switch (choice.origin()) {
      case COMMAND_LINE -> true;
      case ENVIRONMENT -> choice.read();
      case DEFAULT -> false;
    };
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
    for (String wrong : outcome.wrong()) {
      spec.commandLine().getErr().println("ridgeline: wrong result: " + wrong);
    }
    spec.commandLine().getErr().flush();
    return outcome.wrong().isEmpty() ? 0 : Main.BAD_ANSWER;
  }
}
