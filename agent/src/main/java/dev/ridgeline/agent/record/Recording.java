package dev.ridgeline.agent.record;

import dev.ridgeline.agent.scope.ScopeNames;
import dev.ridgeline.agent.scope.ScopeRules;
import dev.ridgeline.agent.scope.ScopeTable;
import dev.ridgeline.agent.weave.Loom;
import dev.ridgeline.profiler.AsyncProfiler;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.Column;
import dev.ridgeline.report.Console;
import dev.ridgeline.report.Format;
import dev.ridgeline.report.Report;
import dev.ridgeline.report.run.Drawing;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunDraft;
import dev.ridgeline.report.run.RunReport;
import dev.ridgeline.report.run.Runs;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** One profile of the program, from weaving its classes to the run that is kept. */
final class Recording {
  private static final long FIRST_LOOK_MILLIS = 250;

  /** So long a scope may be called too often before anybody notices. */
  private static final long LONGEST_PAUSE_MILLIS = 2_000;

  private final AgentOptions options;
  private final Answer answer;
  private final boolean attached;
  private final ScopeRules rules;
  private final ScopeTable table;
  private final ProfilerSink sink;
  private final Loom loom;
  private final FineScopes fine;
  private final Program program = Program.here();
  private final Instant started = Instant.now();
  private final RunDraft draft;
  private final Options recorded;
  private final Thread atExit = new AgentThread("ridgeline-agent-exit", this::exit);
  private final JdkInternals jdk;
  private boolean running;

  /** Ends the flight recorder when we have read it; null without sampling. */
  private Thread recorderExit;

  private Recording(
      Instrumentation jvm,
      ScopeTable table,
      ProfilerSink sink,
      AgentOptions options,
      Answer answer,
      boolean attached) {
    this.jdk = new JdkInternals(jvm);
    this.options = options;
    this.answer = answer;
    this.attached = attached;
    this.table = table;
    this.sink = sink;
    this.rules = ScopeRules.of(options.scopes());
    this.loom = new Loom(jvm, rules, table, options.flag("handovers"));
    this.fine = new FineScopes(table, options.number("budget"));
    AsyncProfiler async = options.async() ? LoadedAsyncProfiler.find() : null;
    this.draft =
        new Runs(options.runs())
            .begin(options.name().isEmpty() ? program.word() : options.name(), started);
    this.recorded =
        Options.of(options.level())
            .withMaxNodes(options.number("nodes"))
            .withSampling(options.sampling(async, draft.path()));
  }

  /** Begins to record. */
  static Recording start(
      Instrumentation jvm,
      ScopeTable table,
      ProfilerSink sink,
      AgentOptions options,
      Answer answer,
      boolean attached) {
    Recording recording = new Recording(jvm, table, sink, options, answer, attached);
    boolean begun = false;
    try {
      recording.begin();
      begun = true;
    } finally {
      if (!begun) recording.abandon();
    }
    return recording;
  }

  private synchronized void begin() {
    loom.install();
    if (attached) refuseWhatMeetsNothing();
    Runtime.getRuntime().addShutdownHook(atExit);
    // The program does not wait for the calibration, see keep().
    try {
      Profiler.start(recorded.withoutCalibration());
    } catch (IllegalStateException e) {
      if (!rules.none()) throw e;
      throw new IllegalStateException(e.getMessage() + "; name methods instead: " + patterns(), e);
    }
    if (recorded.sampling().on()) recorderExit = jdk.takeFlightRecorderExit();
    running = true;
    new AgentThread("ridgeline-agent", this::keep).start();
    answer.recording();
  }

  private String patterns() {
    String own = program.mainPackage();
    String pattern = own.isEmpty() ? program.word() : own + ".**";
    return answer.file() == null ? "scope=" + pattern : "--scope '" + pattern + "'";
  }

  /** In a program that runs already, a pattern that meets no loaded class is most likely wrong. */
  private void refuseWhatMeetsNothing() {
    if (rules.none() || rules.unmatched().size() < rules.size()) return;
    throw new IllegalArgumentException(String.join("; ", Notes.unmatched(rules, loom.loaded())));
  }

  private void abandon() {
    loom.remove();
    draft.close();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException _) {
      // The program is ending anyway.
    }
  }

  synchronized boolean running() {
    return running;
  }

  /** Looks after the recording until it ends: too fine scopes, copies on disk, the time limit. */
  private void keep() {
    long start = System.nanoTime();
    Profiler.calibration(recorded);
    long pause = FIRST_LOOK_MILLIS;
    long limit = options.duration() == null ? Long.MAX_VALUE : options.duration().toMillis();
    long kept = 0;
    try {
      while (true) {
        long elapsed = Duration.ofNanos(System.nanoTime() - start).toMillis();
        if (elapsed >= limit) break;
        long copy = kept + options.snapshot().toMillis() - elapsed;
        Thread.sleep(Math.max(1, Math.min(Math.min(pause, copy), limit - elapsed)));
        elapsed = Duration.ofNanos(System.nanoTime() - start).toMillis();
        if (elapsed >= limit) break;
        boolean keepNow = elapsed - kept >= options.snapshot().toMillis();
        if (!look(keepNow)) return;
        if (keepNow) kept = elapsed;
        pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
      }
      stop();
    } catch (InterruptedException e) {
      // Nobody interrupts us but a program that ends everything it finds.
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean look(boolean keepNow) {
    if (!running) return false;
    Profile soFar = Profiler.snapshot().calibrated(Profiler.calibration(recorded));
    fine.check(soFar);
    if (!keepNow) return true;
    try {
      Profile named = named(soFar);
      draft.write(named);
      draft.write(RunOf.unfinished(program, options, started, named, notes(soFar)));
    } catch (FileException e) {
      // The end will say it, should it still be so.
    }
    return true;
  }

  private Profile named(Profile profile) {
    return ScopeNames.shorten(profile, table.methods(), fine.switchedOff());
  }

  private Notes notes(Profile profile) {
    return Notes.of(program, answer.file() != null, loom, fine, profile);
  }

  /** Ends the recording, takes the scopes out again and keeps the run. */
  synchronized void stop() {
    if (!running) return;
    running = false;
    try {
      List<String> lost = new ArrayList<>();
      Profile raw = end(lost).calibrated(Profiler.calibration(recorded));
      Notes notes = notes(raw).with(lost);
      if (attached) leave();
      write(named(raw), notes);
    } catch (FileException e) {
      if (answer.refused(e.getMessage())) return;
      say("ridgeline-agent: the run could not be kept: " + e.getMessage());
    } finally {
      draft.close();
    }
  }

  /** The profile; without its last samples when the flight recorder fails at the last moment. */
  private Profile end(List<String> lost) {
    if (!recorded.sampling().on()) return Profiler.stop();
    Profile before = Profiler.snapshot();
    try {
      return Profiler.stop();
    } catch (RuntimeException e) {
      lost.add("the last samples are missing: " + e.getMessage());
      return before;
    }
  }

  /** The program ends, and with it the flight recorder, but not before us. */
  private void exit() {
    answer.ending();
    stop();
    Thread last = recorderExit;
    if (last != null) last.run();
  }

  private void leave() {
    loom.remove();
    sink.forgetTasks();
    table.switchAllOn();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
      if (recorderExit != null) Runtime.getRuntime().addShutdownHook(recorderExit);
      recorderExit = null;
    } catch (IllegalStateException _) {
      // It is this very hook that runs.
    }
  }

  private void write(Profile profile, Notes notes) {
    var run = RunOf.finished(program, options, started, profile, notes);
    Report report = RunReport.of(run, profile);
    draft.write(run);
    draft.write(profile);
    List<String> lines = new ArrayList<>(notes.lines());
    var manner =
        new Drawing.Manner(
            options.number("top"),
            Column.SELF,
            1_000_000L * options.number("trace-limit"),
            lines::add);
    for (Format format : options.formats()) {
      // The recording is there already, and samples may have failed to come.
      if (format.refusal(profile) != null) continue;
      draft.write(format.fileName(), Drawing.content(format, report, manner));
    }
    RunDirectory directory = draft.commit();
    lines.forEach(answer::note);
    answer.run(directory.path());
    if (options.flag("quiet")) return;
    List<String> open = Drawing.open(directory, "");
    say(
        Console.draw(report, Console.Style.plain(100), options.number("top"), open)
            .stripTrailing());
    for (String line : lines) say("ridgeline-agent: " + line);
  }

  /** Not through System.err, which belongs to the program and may lead anywhere. */
  private static void say(String text) {
    var err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    err.println(text);
  }
}
