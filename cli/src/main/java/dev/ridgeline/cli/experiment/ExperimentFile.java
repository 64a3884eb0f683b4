package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.line.Amounts;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.lab.process.CommandTrial;
import dev.ridgeline.lab.process.ProcessException;
import dev.ridgeline.lab.sweep.Aim;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.Schema;
import dev.ridgeline.report.run.Metric.Better;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Reads an experiment that a user has written: a command or a workload with holes in it, parameters
 * that go into them in every combination, arms that are told one by one. What is wrong is one line
 * that names the field: {@code mine.json: arms[2].option: unknown field}.
 */
final class ExperimentFile {
  private static final Schema SCHEMA = new Schema("plan", 1, 1 << 20);

  /** More cannot be told apart in any time that people wait. */
  private static final int MOST_ARMS = 200;

  private static final int LONGEST_NAME = 80;

  /**
   * What a file asks for.
   *
   * @param budgetSeconds NaN where it does not say
   * @param threshold NaN where it does not say
   */
  record Asked(Plan plan, double budgetSeconds, double threshold) {}

  /** An arm and what it is started with. */
  private record Told(Arm arm, Parts parts, String place) {}

  private final JsonObject json;
  private final Parts base;
  private final Map<String, Told> told = new LinkedHashMap<>();
  private final Set<String> used = new HashSet<>();

  private ExperimentFile(JsonObject json) {
    this.json = json;
    this.base = Parts.of(json);
  }

  /** What a file asks for. */
  static Asked read(Path file) {
    return new ExperimentFile(Json.read(file, SCHEMA)).asked();
  }

  private Asked asked() {
    String name = json.text("name");
    if (!name.matches("[a-z0-9][a-z0-9-]{0,40}")) {
      throw json.fail("name", "small letters, digits and dashes, such as compress-levels");
    }
    Map<String, List<String>> grid = grid();
    if (!grid.isEmpty() || !json.has("arms")) {
      for (Map<String, String> values : combinations(grid)) {
        add(new Told(new Arm(name(values, grid, name), values), base, "parameters"));
      }
    }
    if (json.has("arms")) listed();
    boolean workloads = told.values().iterator().next().parts().isWorkload();
    Plan plan =
        new Plan(
            name,
            json.has("title") ? json.text("title") : Quantity.many(told.size(), "arm"),
            attempts(workloads, grid.keySet()),
            reference(),
            workloads && json.has("metric") ? json.text("metric") : null,
            !json.has("winner") || json.flag("winner") ? Aim.WINNER : Aim.EACH);
    double budget = amount("budget", Amounts::seconds);
    double threshold = amount("threshold", Amounts::fraction);
    json.end();
    return new Asked(plan, budget, threshold);
  }

  private List<Attempt> attempts(boolean workloads, Set<String> parameters) {
    if (workloads && json.has("better")) {
      throw json.fail("better", "a workload knows which way its metrics are better");
    }
    Pattern pattern =
        !workloads && json.has("metric")
            ? said("metric", () -> CommandTrial.pattern(json.text("metric")))
            : null;
    Better better = json.has("better") ? better() : Better.LOWER;
    List<Attempt> attempts = new ArrayList<>();
    for (Told each : told.values()) {
      if (each.parts().isWorkload() != workloads) {
        throw json.fail(each.place(), "commands and workloads have no metric in common");
      }
      Template template = new Template(each.arm().parameters(), used, hole -> unknown(each, hole));
      attempts.add(new Attempt(each.arm(), each.parts().start(template::fill, pattern, better)));
    }
    // What goes nowhere would make arms that are the same.
    Set<String> all = new HashSet<>(parameters);
    for (Told each : told.values()) all.addAll(each.arm().parameters().keySet());
    for (String parameter : all) {
      if (used.contains(parameter)) continue;
      throw json.fail("parameters", "no command has a place for {%s}".formatted(parameter));
    }
    return attempts;
  }

  private RuntimeException unknown(Told arm, String hole) {
    return json.fail(
        arm.place(),
        "'%s' has no parameter for {%s}; braces that are meant are {{%s}}"
            .formatted(arm.arm().name(), hole, hole));
  }

  private Better better() {
    return switch (json.text("better")) {
      case "lower" -> Better.LOWER;
      case "higher" -> Better.HIGHER;
      default -> throw json.fail("better", "lower or higher");
    };
  }

  private String reference() {
    if (!json.has("reference")) return told.keySet().iterator().next();
    String reference = json.text("reference");
    if (told.containsKey(reference)) return reference;
    throw json.fail(
        "reference", "'%s' is none of %s".formatted(reference, String.join(", ", told.keySet())));
  }

  /** The values of each parameter. */
  private Map<String, List<String>> grid() {
    Map<String, List<String>> grid = new LinkedHashMap<>();
    if (!json.has("parameters")) return grid;
    JsonObject parameters = json.object("parameters");
    long arms = 1;
    for (String name : parameters.names()) {
      named(parameters, name);
      List<String> values = parameters.words(name);
      if (values.isEmpty()) throw parameters.fail(name, "no values");
      if (new HashSet<>(values).size() < values.size()) {
        throw parameters.fail(name, "a value is there twice");
      }
      grid.put(name, values);
      arms = Math.min(arms * values.size(), 1L << 40);
    }
    if (arms <= MOST_ARMS) return grid;
    throw json.fail("parameters", "%s arms; at most %d".formatted(Quantity.count(arms), MOST_ARMS));
  }

  private static void named(JsonObject parameters, String name) {
    if (!name.matches(Template.NAME)) {
      throw parameters.fail(name, "no name of a parameter: letters, digits, - and _");
    }
  }

  private static List<Map<String, String>> combinations(Map<String, List<String>> grid) {
    List<Map<String, String>> all = List.of(Map.of());
    for (var parameter : grid.entrySet()) {
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> begun : all) {
        for (String value : parameter.getValue()) {
          Map<String, String> one = new LinkedHashMap<>(begun);
          one.put(parameter.getKey(), value);
          longer.add(one);
        }
      }
      all = longer;
    }
    return all;
  }

  /** {@code level-6_file-a}, of what has several values; else as the experiment is called. */
  private static String name(
      Map<String, String> values, Map<String, List<String>> grid, String missing) {
    List<String> parts = new ArrayList<>();
    values.forEach(
        (name, value) -> {
          if (grid.get(name).size() == 1) return;
          parts.add(name + "-" + value.strip().replaceAll("[^A-Za-z0-9.+-]+", "-"));
        });
    if (parts.isEmpty()) return missing;
    String joined = String.join("_", parts);
    return joined.substring(0, Math.min(joined.length(), LONGEST_NAME));
  }

  private void listed() {
    List<JsonObject> arms = json.objects("arms");
    if (arms.isEmpty()) throw json.fail("arms", "none");
    for (JsonObject each : arms) {
      String place = "arms[%d]".formatted(arms.indexOf(each));
      String name = each.text("name");
      if (!name.matches("[A-Za-z0-9_+-][A-Za-z0-9._+-]{0,%d}".formatted(LONGEST_NAME - 1))) {
        throw each.fail("name", "letters, digits and . _ + -: it names a folder");
      }
      Map<String, String> values = new LinkedHashMap<>();
      if (each.has("parameters")) {
        JsonObject own = each.object("parameters");
        for (String parameter : own.names()) {
          named(own, parameter);
          values.put(parameter, own.word(parameter));
        }
      }
      add(new Told(new Arm(name, values), base.with(Parts.of(each)), place));
      each.end();
    }
  }

  private void add(Told one) {
    if (told.size() == MOST_ARMS) throw json.fail("arms", "more than " + MOST_ARMS);
    if (told.putIfAbsent(one.arm().name(), one) == null) return;
    throw json.fail(one.place(), "two arms are called '%s'".formatted(one.arm().name()));
  }

  /** How an amount is read: its name, then what is typed. */
  @FunctionalInterface
  private interface Reader {
    double read(String name, String text);
  }

  private double amount(String field, Reader reader) {
    if (!json.has(field)) return Double.NaN;
    return said(field, () -> reader.read(field, json.text(field)));
  }

  /** Another's refusal, with the place in this file instead of the option. */
  private <T> T said(String field, Supplier<T> what) {
    try {
      return what.get();
    } catch (Problem | ProcessException e) {
      throw json.fail(field, e.getMessage().replaceFirst("^(--)?" + field + " ", ""));
    }
  }
}
