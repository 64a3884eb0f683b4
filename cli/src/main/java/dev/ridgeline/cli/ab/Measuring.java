package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.line.Interrupt;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.cli.workload.WorkloadKind;
import dev.ridgeline.lab.document.ConsoleText;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.MarkdownText;
import dev.ridgeline.lab.process.Child;
import dev.ridgeline.lab.trial.Experiment;
import dev.ridgeline.lab.verdict.Comparison;
import dev.ridgeline.profiler.file.WholeFile.Content;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What {@code ab}, {@code bisect} and experiments have in common: the options of their trials, how
 * they are stopped, what makes their record a run like others, and how their answer is printed.
 */
public final class Measuring {
  public static final Setting<Long> SEED =
      Setting.number(
          "--seed N", Long.class, "Seed of the order of trials (default: by the clock).");

  public static final Setting<Boolean> MARKDOWN =
      Setting.flag("--markdown", "Print Markdown, for a pull request.");

  public static final Setting<Better> BETTER =
      Setting.choice(
          "--better WAY",
          Better.class,
          Better.LOWER,
          "Which way the metric of commands and Java programs is better: lower or higher.");

  private static final int STOPPED = 130;
  private final Settings settings;
  private final CommandSpec spec;
  private final boolean json;
  private final boolean markdown;

  /**
   * @param json the option for the record's own file
   * @param withMarkdown whether there is {@link #MARKDOWN}
   */
  public Measuring(
      Settings settings, CommandSpec spec, Setting<Boolean> json, boolean withMarkdown) {
    this.settings = settings;
    this.spec = spec;
    this.json = settings.read(json);
    this.markdown = withMarkdown && settings.read(MARKDOWN);
    if (this.json && markdown) throw new Problem("--json or --markdown, not both");
  }

  public static Setting<Boolean> json(String file) {
    return Setting.flag("--json", "Print " + file + ", and nothing else.");
  }

  public static Setting<String> budget(String preset, String description) {
    return Setting.text("--budget TIME", preset, description);
  }

  public static Setting<String> threshold(String description) {
    return Setting.text("--threshold PERCENT", "2%", description);
  }

  /** The seed of the order. */
  public long seed() {
    Long given = settings.read(SEED);
    return given == null ? System.nanoTime() & 0xffff_ffffL : given;
  }

  /** Which way the metric of a command is better. */
  public static Better better(Settings settings) {
    Better better = settings.read(BETTER);
    if (better != Better.NEITHER) return better;
    throw new Problem("--better neither: lower or higher");
  }

  /** The option that says how long a trial measures; empty where these words say so already. */
  public static String length(WorkloadKind kind, Collection<String> words) {
    boolean said =
        words.stream()
            .map(option -> option.replaceFirst("=.*", ""))
            .anyMatch(option -> option.equals(kind.length()) || kind.lengths().contains(option));
    return said ? "" : kind.length();
  }

  public Progress progress() {
    PrintWriter err = spec.commandLine().getErr();
    return Terminal.detect().errors() ? Progress.on(err) : Progress.silent();
  }

  /** From now on a signal ends the trial that runs, and lets no other begin. */
  public static Interrupt stops(Child child) {
    return Interrupt.does(
        () -> {
          child.stop();
          return true;
        });
  }

  /** The exit code of a command that was stopped before it had an answer. */
  public int stopped(Interrupt interrupt, String before) {
    tell("stopped before " + before);
    return interrupt.code() == 0 ? STOPPED : interrupt.code();
  }

  /** Says something beside the answer. */
  public void tell(String line) {
    spec.commandLine().getErr().println("ridgeline: " + line);
  }

  /** The command line, word by word. */
  public List<String> typed() {
    List<String> words = new ArrayList<>(List.of("ridgeline"));
    words.addAll(spec.root().commandLine().getParseResult().originalArgs());
    return words;
  }

  /**
   * What makes a record a run like others.
   *
   * @param what was measured
   */
  public Run run(
      String name,
      String title,
      Instant started,
      String revision,
      Map<String, String> what,
      List<Metric> metrics) {
    return new Run(
        name,
        title,
        started,
        typed(),
        settings.asOptions(),
        Machine.here(),
        revision,
        what,
        Map.of(),
        Map.of(),
        "",
        metrics,
        List.of(),
        0,
        Ceilings.NONE);
  }

  /** What decided a session, of both sides. */
  public static List<Metric> metrics(Experiment experiment, String a, String b) {
    Comparison deciding = experiment.deciding();
    if (deciding == null || deciding.a().length == 0) return List.of();
    String name = ": " + deciding.metric();
    return List.of(
        Metric.of(a + name, deciding.unit(), deciding.better(), deciding.a()),
        Metric.of(b + name, deciding.unit(), deciding.better(), deciding.b()));
  }

  /**
   * Prints an answer.
   *
   * @param content of the record's own file
   */
  public void print(Document document, RunDirectory record, String file, Content content) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try {
        content.write(bytes);
      } catch (IOException e) {
        throw Problem.of(e);
      }
      out.println(bytes.toString(StandardCharsets.UTF_8).stripTrailing());
    } else {
      Document kept = document.keptIn(record.path().toString(), file);
      var lines = markdown ? MarkdownText.lines(kept) : ConsoleText.lines(kept);
      lines.forEach(out::println);
    }
    out.flush();
  }
}
