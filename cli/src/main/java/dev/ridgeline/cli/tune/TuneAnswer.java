package dev.ridgeline.cli.tune;

import dev.ridgeline.lab.tune.Decision;
import dev.ridgeline.tensor.tune.TilingTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

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
    ObjectNode root = JsonMapper.shared().createObjectNode();
    root.put("schema", "ridgeline.tuning").put("version", 1).put("of", of);
    root.put("machine", table.machine()).put("file", fileOrNull == null ? "" : "" + fileOrNull);
    ArrayNode all = root.putArray("decisions");
    for (Decision each : decisions) {
      ObjectNode one = all.addObject().put("tunable", each.tunable().word());
      one.put("default", each.before()).put("best", each.best()).put("kept", each.kept());
      one.put("why", each.why());
      ArrayNode first = one.putArray("firstRatios");
      each.firstRatios().forEach(first::add);
      ArrayNode again = one.putArray("againRatios");
      each.againRatios().forEach(again::add);
      ObjectNode parts = one.putObject("parts");
      each.parts().forEach(parts::put);
    }
    return root.toPrettyString();
  }
}
