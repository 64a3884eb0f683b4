package dev.ridgeline.lab.trial;

import static dev.ridgeline.report.Markdown.code;
import static dev.ridgeline.report.Markdown.escape;

import dev.ridgeline.lab.verdict.Gate;
import java.util.ArrayList;
import java.util.List;

/** An experiment as Markdown, for a pull request. */
public final class ExperimentMarkdown {
  private ExperimentMarkdown() {}

  /**
   * The lines.
   *
   * @param record the directory it is kept in
   */
  public static List<String> lines(Experiment it, String record) {
    List<String> lines = new ArrayList<>();
    lines.add("### " + it.verdict().word());
    lines.add("");
    for (String each : it.warnings()) {
      lines.add("**" + escape(each) + "**");
      lines.add("");
    }
    for (String each :
        List.of(
            ExperimentText.answer(it),
            ExperimentText.asked(it),
            ExperimentText.why(it),
            ExperimentText.rests(it))) {
      if (!each.isEmpty()) lines.add("- " + escape(each));
    }
    for (String each : it.unsteadiness()) lines.add("- note: " + escape(each));
    if (it.responsible() != null) lines.add("- where: " + escape(ExperimentText.where(it)));
    table(lines, "metric", Row.metrics(it));
    table(lines, "self time of scopes, " + it.setting().scopeUnit(), Row.changedScopes(it));
    if (!it.gates().isEmpty()) {
      lines.add("");
      lines.add("| exact | A | B | |");
      lines.add("|---|---|---|---|");
      for (Gate gate : it.gates()) {
        lines.add(
            "| %s | %s | %s | %s |"
                .formatted(escape(gate.name()), escape(gate.a()), escape(gate.b()), gate.word()));
      }
    }
    lines.add("");
    lines.add("`" + code(record) + "`");
    return lines;
  }

  private static void table(List<String> lines, String title, List<Row> rows) {
    if (rows.isEmpty()) return;
    lines.add("");
    lines.add("| %s | A | B | change | q | |".formatted(title));
    lines.add("|---|--:|--:|---|--:|---|");
    for (Row row : rows) {
      lines.add(
          "| %s | %s | %s | %s | %s | %s |"
              .formatted(escape(row.title()), row.a(), row.b(), row.change(), row.q(), row.word()));
    }
  }
}
