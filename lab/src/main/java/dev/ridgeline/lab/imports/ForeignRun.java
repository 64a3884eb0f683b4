package dev.ridgeline.lab.imports;

import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Machine.Jvm;
import dev.ridgeline.report.run.Machine.Limits;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A run of another tool while it is put together; what nobody says of it stays unknown. */
final class ForeignRun {
  /** What is not told of a virtual machine. */
  static final Jvm NO_JVM = new Jvm("", "", "", "", Machine.UNKNOWN, List.of());

  /** Says under {@link Run#conditions} that a tool does not tell when it measured. */
  private static final String STARTED = "started";

  private final Map<String, String> workload = new LinkedHashMap<>();
  private final Map<String, String> plan = new LinkedHashMap<>();
  private final Map<String, String> conditions = new LinkedHashMap<>();
  private final List<Metric> metrics = new ArrayList<>();
  String title = "";
  String command = "";
  String revision = "";
  String cpu = "";
  String os = "";
  Jvm jvm = NO_JVM;
  private Instant started;

  ForeignRun started(Instant moment) {
    this.started = moment;
    return this;
  }

  /** The file's own time, said to be that. */
  ForeignRun startedUnknown(Instant written) {
    conditions.put(STARTED, "not told: this is when the file was written");
    return started(written);
  }

  /** Something of the work, where it is told. */
  ForeignRun work(String name, String value) {
    if (value != null && !value.isEmpty()) workload.put(name, value);
    return this;
  }

  /** Something of how it was done, where it is told. */
  ForeignRun plan(String name, String value) {
    if (value != null && !value.isEmpty()) plan.put(name, value);
    return this;
  }

  ForeignRun condition(String name, String value) {
    conditions.put(name, value);
    return this;
  }

  /** Something measured; nothing where there is no sample. */
  ForeignRun metric(String name, String unit, Better better, List<Double> samples) {
    if (!samples.isEmpty()) metrics.add(new Metric(name, unit, better, samples));
    return this;
  }

  /** The run; an object without a number that was measured is refused. */
  Run done(String name, JsonObject object, String measured) {
    if (metrics.isEmpty()) throw object.fail(measured, "holds no number");
    Machine machine =
        new Machine(cpu, "", (int) Machine.UNKNOWN, Machine.UNKNOWN, Limits.NONE, os, jvm);
    return new Run(
        name,
        title,
        started,
        command.isEmpty() ? List.of() : List.of(command),
        List.of(),
        machine,
        revision,
        workload,
        plan,
        conditions,
        "",
        metrics,
        List.of(),
        0,
        Ceilings.NONE);
  }

  /** The finite numbers of a list; what else it holds is refused, but for what says "no number". */
  static List<Double> numbers(JsonObject object, String name, List<?> items) {
    List<Double> numbers = new ArrayList<>();
    for (Object item : items) {
      switch (item) {
        case Number number -> numbers.add(number.doubleValue());
        case String text when text.equals("NaN") || text.endsWith("INF") -> {}
        case null -> {}
        default -> throw object.fail(name, "must be a list of numbers");
      }
    }
    return numbers;
  }
}
