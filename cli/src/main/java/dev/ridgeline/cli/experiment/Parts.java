package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.profile.ProfileCommand;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * What a trial is started with, as a user's file says it: holes are not filled yet.
 *
 * @param at where it is said
 * @param command as a shell reads it, or null
 * @param workload its name and options, or null
 * @param options more of them
 * @param jvm flags
 * @param environment variables
 */
record Parts(
    JsonObject at,
    String command,
    List<String> workload,
    List<String> options,
    List<String> jvm,
    Map<String, String> environment) {
  private static final String VARIABLE = "[A-Za-z_][A-Za-z0-9_]*";

  static Parts of(JsonObject at) {
    if (at.has("command") && at.has("workload")) {
      throw at.fail("workload", "a command or a workload, not both");
    }
    Map<String, String> environment = new LinkedHashMap<>();
    if (at.has("environment")) {
      JsonObject variables = at.object("environment");
      for (String name : variables.names()) {
        if (!name.matches(VARIABLE)) throw variables.fail(name, "no name of a variable");
        environment.put(name, variables.word(name));
      }
    }
    return new Parts(
        at,
        at.has("command") ? at.text("command") : null,
        at.has("workload") ? at.words("workload") : null,
        at.has("options") ? at.words("options") : List.of(),
        at.has("jvm") ? at.words("jvm") : List.of(),
        environment);
  }

  /** These, with what an arm says of its own: a command in place of this, the rest beside it. */
  Parts with(Parts own) {
    boolean another = own.command != null || own.workload != null;
    Map<String, String> variables = new LinkedHashMap<>(environment);
    variables.putAll(own.environment);
    return new Parts(
        own.at,
        another ? own.command : command,
        another ? own.workload : workload,
        both(options, own.options),
        both(jvm, own.jvm),
        variables);
  }

  private static List<String> both(List<String> first, List<String> then) {
    List<String> all = new ArrayList<>(first);
    all.addAll(then);
    return all;
  }

  /** Whether it is a workload of ours; what is neither is refused. */
  boolean isWorkload() {
    if (command == null && workload == null) {
      throw at.fail("command", "missing: a command or a workload");
    }
    return workload != null;
  }

  /** How a trial is started, once holes are filled. */
  Start start(UnaryOperator<String> fill, Pattern metric, Better better) {
    Map<String, String> variables = new LinkedHashMap<>();
    environment.forEach((name, value) -> variables.put(name, line("environment", fill, value)));
    List<String> flags = jvm.stream().map(flag -> line("jvm", fill, flag)).toList();
    if (!isWorkload()) {
      if (!jvm.isEmpty()) throw at.fail("jvm", "of workloads only; a command says its own flags");
      if (!options.isEmpty()) throw at.fail("options", "of workloads only; write another command");
      String line = fill.apply(command);
      if (line.isBlank() || line.indexOf('\0') >= 0) throw at.fail("command", "no command");
      return new Start.Shell(line, metric, better, variables);
    }
    List<String> words =
        both(workload, options).stream().map(word -> line("workload", fill, word)).toList();
    if (words.isEmpty()) throw at.fail("workload", "is empty");
    try {
      ProfileCommand.kind(words.getFirst());
    } catch (Problem e) {
      throw at.fail("workload", e.getMessage());
    }
    for (String flag : flags) {
      if (!flag.startsWith("-")) throw at.fail("jvm", "'%s' is no option".formatted(flag));
    }
    return new Start.Workload(words, flags, variables);
  }

  /** A word of a command: the system takes no zero within one. */
  private String line(String field, UnaryOperator<String> fill, String word) {
    String filled = fill.apply(word);
    if (filled.indexOf('\0') >= 0) throw at.fail(field, "a zero character");
    return filled;
  }
}
