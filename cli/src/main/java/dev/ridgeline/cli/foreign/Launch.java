package dev.ridgeline.cli.foreign;

import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.report.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts a command with the agent in it. Its input, its output and its exit code are its own.
 *
 * @param typed the whole command line, which ends with the command
 * @param library a native agent that our own needs, or null
 */
record Launch(
    List<String> typed, List<String> command, Request request, Path library, Salvage salvage) {
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
    if (java) JavaVersion.require(typed, command.size());
    Rehearsal.endsHere();
    try (Answers answers = new Answers()) {
      List<String> options = new ArrayList<>();
      if (library != null) options.add("-agentpath:" + library);
      options.add(agent + request.with("answer", answers.file().toString()).text());
      List<String> words = new ArrayList<>(command);
      ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
      if (java) words.addAll(1, options);
      else for (String option : options) addForEveryJava(builder.environment(), option);
      int code = await(builder, answers);
      return ended(answers, code);
    }
  }

  /** A script: whatever JVM it starts gets the agent, and says so on its standard error. */
  private static void addForEveryJava(Map<String, String> environment, String option) {
    String quoted = option.contains(" ") ? "\"" + option + "\"" : option;
    environment.merge("JAVA_TOOL_OPTIONS", quoted, (before, own) -> before + " " + own);
  }

  private static int await(ProcessBuilder builder, Answers answers) {
    try (PassedOn signals = new PassedOn(answers::ending)) {
      Process process = builder.start();
      signals.program(process);
      int code = process.waitFor();
      return signals.cutShort() == 0 ? code : signals.cutShort();
    } catch (IOException e) {
      throw new Problem(
          "cannot start %s: %s".formatted(builder.command().getFirst(), e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem("interrupted");
    }
  }

  private Ended ended(Answers answers, int code) {
    List<String> notes = new ArrayList<>(answers.notes());
    List<RunDirectory> kept = new ArrayList<>();
    for (Path run : answers.runs()) kept.add(new RunDirectory(run));
    String refused = answers.refused();
    if (!kept.isEmpty()) return new Ended(code, kept, notes);
    if (refused == null && answers.full()) refused = answers.file() + ": No space left on device";
    if (answers.recording() && refused != null) {
      String own = "the program itself ended with exit code " + code;
      throw new Problem("the run could not be kept: %s; %s".formatted(refused, own));
    }
    if (answers.recording()) {
      kept.addAll(salvage.keep());
      notes.add(Salvage.told(Salvage.ending(code), kept));
    } else if (refused == null && code != ExitCode.BAD_QUESTION) {
      notes.add("nothing was recorded: the command started no Java program with the agent");
    }
    return new Ended(code, kept, notes);
  }
}
