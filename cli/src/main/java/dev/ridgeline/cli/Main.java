package dev.ridgeline.cli;

import dev.ridgeline.cli.ab.AbCommand;
import dev.ridgeline.cli.bisect.BisectCommand;
import dev.ridgeline.cli.chat.ChatCommand;
import dev.ridgeline.cli.compare.BaselineCommand;
import dev.ridgeline.cli.compare.CompareCommand;
import dev.ridgeline.cli.doctor.DoctorCommand;
import dev.ridgeline.cli.embed.EmbedCommand;
import dev.ridgeline.cli.experiment.ExperimentCommand;
import dev.ridgeline.cli.generate.GenerateCommand;
import dev.ridgeline.cli.history.HistoryCommand;
import dev.ridgeline.cli.imports.ImportCommand;
import dev.ridgeline.cli.inspect.InspectCommand;
import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.cli.line.HelpText;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.StandardStreams;
import dev.ridgeline.cli.line.StandardStreams.ReaderLeft;
import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.cli.line.TypedWords;
import dev.ridgeline.cli.line.Version;
import dev.ridgeline.cli.models.CacheCommand;
import dev.ridgeline.cli.models.ModelsCommand;
import dev.ridgeline.cli.models.PullCommand;
import dev.ridgeline.cli.profile.ProfileCommand;
import dev.ridgeline.cli.quantize.QuantizeCommand;
import dev.ridgeline.cli.report.ReportCommand;
import dev.ridgeline.cli.roofline.RooflineCommand;
import dev.ridgeline.cli.synth.SynthCommand;
import dev.ridgeline.cli.train.TrainCommand;
import dev.ridgeline.cli.tune.TuneBlockCommand;
import dev.ridgeline.cli.tune.TuneCommand;
import dev.ridgeline.cli.workload.AsProfile;
import dev.ridgeline.profiler.file.OneLine;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code ridgeline} command: the list of commands, and how each of them ends. */
@Command(
    name = "ridgeline",
    description = "Runs small language models on the JVM and proves where their time goes.",
    versionProvider = Version.class,
    sortOptions = false,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ProfileCommand.class,
      EmbedCommand.class,
      GenerateCommand.class,
      ChatCommand.class,
      TrainCommand.class,
      AbCommand.class,
      BisectCommand.class,
      CompareCommand.class,
      ExperimentCommand.class,
      BaselineCommand.class,
      HistoryCommand.class,
      ReportCommand.class,
      RooflineCommand.class,
      TuneCommand.class,
      TuneBlockCommand.class,
      ModelsCommand.class,
      PullCommand.class,
      CacheCommand.class,
      InspectCommand.class,
      ImportCommand.class,
      QuantizeCommand.class,
      SynthCommand.class,
      DoctorCommand.class,
      WarmStart.class
    },
    footer = {
      "",
      "Examples:",
      "  ridgeline profile            embed the bundled texts, show the hot paths, keep the run",
      "  ridgeline embed 'some text'  its vector",
      "  ridgeline generate 'Once upon a time'  its continuation",
      "  ridgeline train -c examples/shakespeare.json  a model of your own",
      "  ridgeline ab --b '--workers 1'  whether that makes it faster",
      "  ridgeline report last        that run again, in any format",
      "  ridgeline history            all runs, and what they measured",
      "  ridgeline roofline           what this machine can do, measured",
      "  ridgeline tune               tiles and thresholds that are faster on this machine",
      "  ridgeline models             the models that are available by name",
      "  ridgeline doctor             what this machine and JVM can do, and what to fix",
      "  ridgeline doctor --json      the same for a program",
      "",
      "Exit codes: 0 success, 1 a failed check, 2 a usage error, 3 a bug in ridgeline.",
      "RIDGELINE_JAVA chooses the JDK (25 or newer), RIDGELINE_JVM_OPTS adds options to its JVM."
    })
public final class Main implements Runnable {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  private boolean version;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Add the stack to an error.")
  private boolean verbose;

  @Spec private CommandSpec spec;

  private Main() {}

  public static void main(String[] args) {
    int code;
    try {
      code = start(args);
    } catch (Throwable e) {
      code = hardlyStarted(e);
    }
    System.exit(code);
  }

  private static int start(String[] args) {
    // Numbers look the same everywhere: what a script reads must not depend on who runs it.
    Locale.setDefault(Locale.ROOT);
    // A warning of a library is one line, as everything is that we say.
    System.setProperty("java.util.logging.SimpleFormatter.format", "ridgeline: %5$s%n");
    var terminal = Terminal.detect();
    StandardStreams.bind(terminal);
    return asksForVersion(args) ? tellVersion() : run(commandLine(terminal), args);
  }

  /**
   * Tells what kept even the handling of failures from working. Nothing here may need more memory
   * or another class, so texts are not put together by {@code +}.
   */
  static int hardlyStarted(Throwable e) {
    String line = "ridgeline: a defect of ridgeline: ".concat(e.toString());
    int code = ExitCode.DEFECT;
    if (e instanceof OutOfMemoryError) {
      line = "ridgeline: out of memory; give the JVM more: RIDGELINE_JVM_OPTS=-Xmx8g";
      code = ExitCode.BAD_QUESTION;
    } else if (e instanceof LinkageError || e.toString().contains("Too many open files")) {
      line =
          "ridgeline: cannot open its own files: is the limit too low (ulimit -n),"
              + " or the build broken?";
      code = ExitCode.BAD_QUESTION;
    }
    System.err.println(line);
    return code;
  }

  /**
   * Scripts ask for the version often, and picocli takes two thirds of such a start: its classes
   * are too old a format for the AOT cache.
   */
  private static boolean asksForVersion(String[] args) {
    return args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"));
  }

  private static int tellVersion() {
    try {
      System.out.println(new Version().getVersion()[0]);
      System.out.flush();
      return 0;
    } catch (ReaderLeft | Problem e) {
      return new Main().fail(e, new PrintWriter(System.err, true));
    }
  }

  /** The command line; its writers may be replaced before it is run. */
  static CommandLine commandLine(Terminal terminal) {
    CommandLine main = new CommandLine(new Main());
    // What stands behind a workload's or a program's name is its own, as it is of `profile`.
    for (String name : List.of("ab", "bisect")) {
      main.getSubcommands().get(name).setStopAtPositional(true);
    }
    return HelpText.on(main)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(Math.clamp(terminal.columns(), 80, 110))
        .setColorScheme(
            CommandLine.Help.defaultColorScheme(terminal.colours() ? Ansi.ON : Ansi.OFF));
  }

  /**
   * Runs a command line and answers its exit code. Not {@link CommandLine#execute}: that prints the
   * stack of whatever goes wrong while help is shown, and lets errors through.
   */
  static int run(CommandLine line, String... args) {
    Main main = line.getCommand();
    try {
      TypedWords.check(args);
      ParseResult parsed = line.parseArgs(AsProfile.orProfile(helpAsOption(args)));
      // Help would hide that there is no such command.
      if (!parsed.unmatched().isEmpty()) {
        throw new UnmatchedArgumentException(line, parsed.unmatched());
      }
      if (parsed.hasSubcommand()
          && parsed.subcommand().isUsageHelpRequested()
          && parsed.subcommand().commandSpec().userObject() instanceof ProfileCommand profile) {
        profile.narrowHelp();
      }
      int code = new RunLast().execute(parsed);
      line.getOut().flush();
      System.out.flush();
      return code;
    } catch (ParameterException e) {
      return main.refuse(e);
    } catch (ExecutionException e) {
      return main.fail(e.getCause() == null ? e : e.getCause(), line.getErr());
    } catch (Throwable e) {
      return main.fail(e, line.getErr());
    }
  }

  /** {@code help COMMAND …}, which many type first, is {@code COMMAND … --help}. */
  private static String[] helpAsOption(String... args) {
    if (args.length == 0 || !args[0].equals("help")) return args;
    String[] option = Arrays.copyOfRange(args, 1, args.length + 1);
    option[args.length - 1] = "--help";
    return option;
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  private int refuse(ParameterException e) {
    var command = e.getCommandLine();
    tell(command.getErr(), reason(e) + " (see " + qualifiedName(command) + " --help)");
    if (verbose) e.printStackTrace(command.getErr());
    return ExitCode.BAD_QUESTION;
  }

  private static String reason(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)) return oneLine(e.getMessage());
    String argument = unmatched.getUnmatched().getFirst();
    String what =
        argument.startsWith("-")
            ? "unknown option"
            : e.getCommandLine().getSubcommands().isEmpty()
                ? "unexpected argument"
                : "unknown command";
    List<String> nearest = unmatched.getSuggestions();
    return what
        + " '"
        + argument
        + "'"
        + (nearest.isEmpty() ? "" : "; did you mean " + String.join(" or ", nearest) + "?");
  }

  private static String qualifiedName(CommandLine command) {
    return command.getCommandSpec().qualifiedName();
  }

  private int fail(Throwable e, PrintWriter err) {
    if (e instanceof ReaderLeft) return ExitCode.READER_LEFT;
    if (e instanceof Rehearsal.Ended) return 0;
    Problem problem = Problem.behind(e);
    if (problem != null) tell(err, oneLine(problem.getMessage()));
    else tell(err, "a defect of ridgeline: " + oneLine(e.toString()) + (verbose ? "" : MORE));
    if (verbose) e.printStackTrace(err);
    return problem == null ? ExitCode.DEFECT : ExitCode.BAD_QUESTION;
  }

  private static final String MORE = " (--verbose shows where)";

  private static void tell(PrintWriter err, String message) {
    err.println("ridgeline: " + OneLine.of(message));
    err.flush();
  }

  private static String oneLine(String message) {
    return message.strip().replaceAll("\\s*\\R\\s*", "; ");
  }
}
