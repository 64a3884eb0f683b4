package dev.ridgeline.lab.compare;

import dev.ridgeline.lab.compare.RunComparison.Side;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.report.json.JsonWriter;
import dev.ridgeline.report.run.Metric;
import java.io.OutputStream;

/** A comparison for scripts: its verdict stands at the top. */
public final class ComparisonJson {
  private ComparisonJson() {}

  /** Writes all of it, raw samples included. */
  public static void write(RunComparison comparison, OutputStream out) {
    double margin = comparison.margin();
    JsonWriter.write(
        out,
        json ->
            json.text("verdict", comparison.verdict().word())
                .text("why", comparison.why())
                .flag("gatesHold", comparison.gatesHold())
                .object("base", side -> write(side, comparison.base()))
                .object("current", side -> write(side, comparison.current()))
                .realOrNull("drift", comparison.drift())
                .texts("differentWork", comparison.likeness().workload())
                .texts("differentMachine", comparison.likeness().machine())
                .texts("differentPlan", comparison.likeness().plan())
                .objects("metrics", comparison.metrics(), (it, each) -> write(it, each, margin))
                .objects("system", comparison.system(), (it, each) -> write(it, each, margin))
                .objects("gates", comparison.gates(), ComparisonJson::write)
                .objects("scopes", comparison.scopes(), ComparisonJson::write));
  }

  private static void write(JsonWriter json, Side side) {
    json.text("run", side.name())
        .text("revision", side.run().revision())
        .real("units", side.run().units())
        .object(
            "samples",
            samples -> {
              for (Metric metric : side.run().metrics()) {
                double[] all = metric.samples().stream().mapToDouble(Double::doubleValue).toArray();
                samples.reals(metric.name(), all);
              }
            });
  }

  private static void write(JsonWriter json, Change change, double margin) {
    json.text("name", change.name())
        .text("unit", change.unit())
        .text("better", change.better().name())
        .real("base", change.base())
        .real("current", change.current())
        .realOrNull("change", change.relative())
        .text("looks", change.direction(margin).name());
  }

  private static void write(JsonWriter json, Gate gate) {
    json.text("what", gate.name())
        .text("base", gate.a())
        .text("current", gate.b())
        .flag("holds", !gate.failed());
  }

  private static void write(JsonWriter json, ScopeChange scope) {
    json.text("path", scope.path());
    if (scope.base() != null) json.object("base", cost -> write(cost, scope.base()));
    if (scope.current() != null) json.object("current", cost -> write(cost, scope.current()));
  }

  /** JSON has no word for what is not known, or for infinity. */
  private static void write(JsonWriter json, ScopeChange.Cost cost) {
    json.real("selfNanos", cost.selfNanos())
        .realOrNull("waitingNanos", cost.waitingNanos())
        .realOrNull("allocatedBytes", cost.allocatedBytes())
        .real("calls", cost.calls())
        .real("bytes", cost.bytes());
  }
}
