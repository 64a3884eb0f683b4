package dev.ridgeline.cli.tune;

import dev.ridgeline.lab.tune.Decision;
import dev.ridgeline.report.json.JsonWriter;
import dev.ridgeline.tensor.tune.TilingTable;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * What {@code tune} found.
 *
 * @param of what was measured
 * @param fileOrNull where it is kept
 */
record TuneAnswer(String of, List<Decision> decisions, TilingTable table, Path fileOrNull) {
  private static final String LINE = "  %-24s %8s %8s  %-26s %s%n";

  void print(PrintWriter out) {
    out.printf("%s · %s%n%n", of, table.machine());
    out.printf(LINE, "", "default", "other", "time", "");
    for (Decision each : decisions) {
      out.printf(
          LINE,
          each.tunable().word(),
          each.before(),
          each.best(),
          Decision.percent(each.first()),
          each.why());
      if (each.again() != null) {
        out.printf(LINE, "  again", "", "", Decision.percent(each.again()), "");
      }
      // Of a round or two, each part is but noise.
      if (!each.first().bounded()) continue;
      each.parts()
          .forEach(
              (part, ratio) ->
                  out.printf(LINE, "  " + part, "", "", Decision.number(ratio) + " %", ""));
    }
    out.println();
    if (fileOrNull == null) out.println("a dry run: nothing is kept");
    else out.printf("%s, kept in %s%n", table.title(), fileOrNull);
  }

  String json() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JsonWriter.write(
        bytes,
        json ->
            json.text("schema", "ridgeline.tuning")
                .number("version", 1)
                .text("of", of)
                .text("machine", table.machine())
                .text("file", fileOrNull == null ? "" : fileOrNull.toString())
                .objects("decisions", decisions, TuneAnswer::write));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static void write(JsonWriter json, Decision it) {
    json.text("tunable", it.tunable().word())
        .number("default", it.before())
        .number("best", it.best())
        .flag("kept", it.kept())
        .text("why", it.why())
        .reals("firstRatios", numbers(it.firstRatios()))
        .reals("againRatios", numbers(it.againRatios()))
        .object("parts", parts -> it.parts().forEach(parts::real));
  }

  private static double[] numbers(List<Double> ratios) {
    return ratios.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
