package dev.ridgeline.cli.foreign;

import dev.ridgeline.agent.record.AgentOptions;
import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.cli.report.Screen;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.report.Column;
import dev.ridgeline.report.Format;
import dev.ridgeline.report.Hotspots;
import dev.ridgeline.report.Report;
import dev.ridgeline.report.run.Again;
import dev.ridgeline.report.run.Drawing;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunReport;
import dev.ridgeline.report.run.Runs;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;

/** The part of {@code profile} that is about users' own programs. */
public final class ForeignProgram {
  private static final Setting<String[]> SCOPE =
      Setting.texts("--scope PATTERN", "Another program's methods to record; may be repeated.");
  private static final Setting<String[]> EXCLUDE =
      Setting.texts("--exclude PATTERN", "Methods to leave out again; may be repeated.");
  public static final Setting<Integer> PID =
      Setting.number("--pid N", "Record the Java program of this process.");
  private static final Setting<String> DURATION =
      Setting.text("--duration TIME", "30s", "How long, with --pid.");
  private static final Setting<Integer> NODES =
      Setting.number("--max-nodes N", 50_000, "Places in the tree of one thread.");

  /** The options that only users' own programs have. */
  public static final List<Setting<?>> SETTINGS = List.of(SCOPE, EXCLUDE, PID, DURATION, NODES);

  /**
   * What is recorded of another program.
   *
   * @param sampled kinds of samples in the agent's word; null when nobody asked, so that the agent
   *     decides
   * @param library async-profiler's, null for the flight recorder
   * @param name of the run, or null
   * @param ceilings a file of what the machine can do, or null
   */
  public record Recorded(
      Level level,
      String sampled,
      Path library,
      Samples.Event event,
      List<Format> formats,
      String name,
      Path ceilings) {}

  private final Settings settings;
  private final Path library;
  private final Screen screen;
  private final Salvage salvage;
  private final CommandLine line;
  private final Request request;

  public ForeignProgram(Settings settings, Recorded what, Screen screen, CommandLine line) {
    this.settings = settings;
    this.library = what.library;
    this.screen = screen;
    this.line = line;
    List<Format> formats = what.formats;
    Runs runs = RunOptions.runs(settings);
    Map<String, List<String>> options = new LinkedHashMap<>();
    put(options, "scope", SCOPE);
    put(options, "exclude", EXCLUDE);
    options.put("level", List.of(what.level.name().toLowerCase(Locale.ROOT)));
    if (what.sampled != null) options.put("sample", List.of(what.sampled));
    if (library != null) {
      options.put("sampler", List.of("async"));
      options.put("event", List.of(what.event.id()));
    }
    options.put("top", List.of(Integer.toString(screen.top())));
    options.put("formats", formats.isEmpty() ? List.of("none") : ids(formats));
    options.put("runs", List.of(runs.folder().toAbsolutePath().toString()));
    options.put("nodes", List.of(Integer.toString(settings.read(NODES))));
    long limit = RunOptions.traceLimit(settings, formats) / 1_000_000;
    options.put("trace-limit", List.of(Long.toString(limit)));
    if (what.name != null) options.put("name", List.of(what.name));
    if (what.ceilings != null) options.put("ceilings", List.of(what.ceilings.toString()));
    options.put("quiet", List.of("on"));
    this.request = new Request(options);
    var manner =
        new Drawing.Manner(screen.top(), Column.SELF, 1_000_000 * limit, line.getErr()::println);
    this.salvage = new Salvage(runs, formats, manner);
  }

  private void put(Map<String, List<String>> options, String name, Setting<String[]> setting) {
    String[] patterns = settings.read(setting);
    if (patterns == null) return;
    for (String pattern : patterns) {
      // Commas inside parentheses stand between parameters.
      if (!pattern.replaceAll("\\([^)]*\\)", "").contains(",")) continue;
      throw new Problem(
          "%1$s %2$s: one pattern at a time; repeat %1$s".formatted(setting.name(), pattern));
    }
    options.put(name, List.of(patterns));
  }

  private static List<String> ids(List<Format> formats) {
    return formats.stream().map(Format::id).toList();
  }

  /**
   * Records a program and answers the exit code.
   *
   * @param command what to start; empty when one that runs is meant
   */
  public int profile(List<String> command, boolean json, boolean quiet) {
    AgentJar.find();
    return settings.given(PID) ? attach(command, json, quiet) : launch(command, json, quiet);
  }

  private int launch(List<String> command, boolean json, boolean quiet) {
    if (command.isEmpty())
      throw new Problem("a command must follow --: profile -- java -jar app.jar");
    if (json) throw new Problem("--json: standard output is the program's; see ridgeline report");
    refuseWhatHasNoEffect();
    Launch.Ended ended = new Launch(typed(), command, request, library, salvage).run();
    PrintWriter err = line.getErr();
    for (RunDirectory run : ended.kept()) err.print(screen(run, quiet, Terminal.detect().errors()));
    for (String note : ended.notes()) err.println("ridgeline: " + note);
    List<Profile> recorded =
        ended.kept().stream().map(RunDirectory::profile).filter(ForeignProgram::recorded).toList();
    if (settings.read(SCOPE) == null && !quiet) {
      recorded.forEach(profile -> again(profile, command.size()).forEach(err::println));
    }
    err.flush();
    // A program may well end with 0 of which nothing is known.
    return ended.code() == 0 && recorded.isEmpty() ? ExitCode.BAD_QUESTION : ended.code();
  }

  private static boolean recorded(Profile profile) {
    return !profile.samples().cpu().isEmpty()
        || profile.lanes().stream().anyMatch(lane -> !lane.nodes().isEmpty());
  }

  /** The same command with scopes, where samples tell which. */
  private List<String> again(Profile profile, int program) {
    List<String> words = new ArrayList<>(typed());
    int dashes = words.size() - program - 1;
    for (String pattern : Hotspots.of(profile).patterns()) {
      words.addAll(dashes, List.of("--scope", pattern));
    }
    if (words.size() == typed().size()) return List.of();
    return List.of("ridgeline: with calls and times: ./ridgeline " + Again.line(words));
  }

  private List<String> typed() {
    CommandLine root = line;
    while (root.getParent() != null) root = root.getParent();
    return root.getParseResult().originalArgs();
  }

  private int attach(List<String> command, boolean json, boolean quiet) {
    if (!command.isEmpty())
      throw new Problem("--pid: the program runs already, leave the command out");
    if (json) throw new Problem("--json: not with --pid; see ridgeline report");
    int pid = settings.read(PID);
    Duration duration = duration();
    refuseWhatHasNoEffect();
    Request timed = request.with("duration", duration.toMillis() + "ms");
    if (Terminal.detect().errors()) {
      line.getErr().printf("recording process %d for %s%n", pid, settings.read(DURATION));
      line.getErr().flush();
    }
    Attachment.Ended ended = new Attachment(pid, duration, timed, library, salvage).record();
    line.getOut().print(screen(ended.kept(), quiet, Terminal.detect().output()));
    for (String note : ended.notes()) line.getErr().println("ridgeline: " + note);
    line.getErr().flush();
    return 0;
  }

  private Duration duration() {
    try {
      return AgentOptions.duration("--duration", settings.read(DURATION));
    } catch (IllegalArgumentException e) {
      throw new Problem(e.getMessage(), e);
    }
  }

  /** An option of a workload is no option of another program. */
  private void refuseWhatHasNoEffect() {
    if (!settings.given(PID)) settings.read(PID);
    List<String> unread = settings.givenButNeverRead();
    if (!unread.isEmpty()) {
      throw new Problem(String.join(", ", unread) + ": no effect on this program");
    }
  }

  private String screen(RunDirectory directory, boolean quiet, boolean terminal) {
    if (quiet) return directory.path() + System.lineSeparator();
    Run run = directory.run();
    Report report = RunReport.of(run, directory.profile());
    Terminal detected = Terminal.detect();
    Terminal shown =
        new Terminal(terminal, false, terminal && detected.colours(), detected.columns());
    return screen.draw(report, directory, shown);
  }
}
