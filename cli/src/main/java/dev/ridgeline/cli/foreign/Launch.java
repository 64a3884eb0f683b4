package dev.ridgeline.cli.foreign;

import dev.ridgeline.cli.Problem;
import dev.ridgeline.report.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/** Starts a command with the agent in it. Its input, its output and its exit code are its own. */
final class Launch {
  private final List<String> command;
  private final Request request;
  private final Path library;
  private final Salvage salvage;

  /**
   * @param library a native agent that our own needs, or null
   */
  Launch(List<String> command, Request request, Path library, Salvage salvage) {
    this.command = command;
    this.request = request;
    this.library = library;
    this.salvage = salvage;
  }

  /**
   * What became of it.
   *
   * @param code the program's exit code
   * @param kept the runs that were kept; none when nothing was recorded
   * @param notes what the agent had to say
   */
  public record Ended(int code, List<RunDirectory> kept, List<String> notes) {}

  /** Runs the command to its end. */
  public Ended run() {
    String agent = "-javaagent:" + AgentJar.find() + "=";
    boolean java = Path.of(command.getFirst()).getFileName().toString().equals("java");
    if (java) JavaVersion.require(command.getFirst());
    try (Answers answers = new Answers()) {
      List<String> options = new ArrayList<>();
      if (library != null) options.add("-agentpath:" + library);
      options.add(agent + request.with("answer", answers.file().toString()).text());
      List<String> words = new ArrayList<>(command);
      ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
      if (java) words.addAll(1, options);
      else for (String option : options) addForEveryJava(builder.environment(), option);
      int code = await(builder);
      return ended(answers, code);
    }
  }

  /** A script: whatever JVM it starts gets the agent, and says so on its standard error. */
  private static void addForEveryJava(Map<String, String> environment, String option) {
    String quoted = option.contains(" ") ? "\"" + option + "\"" : option;
    environment.merge("JAVA_TOOL_OPTIONS", quoted, (before, own) -> before + " " + own);
  }

  /**
   * Ctrl-C reaches the program as well, and what it does about it is its own affair. Who ends us
   * means the program, too: it ends, keeps its run, and we tell of it as of any other.
   */
  private static int await(ProcessBuilder builder) {
    SignalHandler interrupt = Signal.handle(new Signal("INT"), SignalHandler.SIG_IGN);
    Process[] started = new Process[1];
    SignalHandler terminate =
        Signal.handle(
            new Signal("TERM"),
            _ -> {
              if (started[0] != null) started[0].destroy();
            });
    try {
      started[0] = builder.start();
      return started[0].waitFor();
    } catch (IOException e) {
      throw new Problem(
          "cannot start %s: %s".formatted(builder.command().getFirst(), e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem("interrupted");
    } finally {
      Signal.handle(new Signal("INT"), interrupt);
      Signal.handle(new Signal("TERM"), terminate);
    }
  }

  private Ended ended(Answers answers, int code) {
    List<String> notes = new ArrayList<>(answers.notes());
    List<RunDirectory> kept = new ArrayList<>();
    for (Path run : answers.runs()) kept.add(new RunDirectory(run));
    if (kept.isEmpty() && answers.recording()) {
      kept.addAll(salvage.keep());
      notes.add(Salvage.told(Salvage.ending(code), kept));
    } else if (kept.isEmpty() && answers.refused() == null && code != 2) {
      notes.add("nothing was recorded: the command started no Java program with the agent");
    }
    return new Ended(code, kept, notes);
  }
}
