package dev.ridgeline.cli.ab;

import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.trial.Experiment;
import dev.ridgeline.lab.verdict.Comparison;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.lab.verdict.Verdict;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An experiment for a pull request. */
final class AbMarkdown {
  private AbMarkdown() {}

  static List<String> lines(Experiment it, String record) {
    List<String> lines = new ArrayList<>();
    lines.add("**%s**%s".formatted(it.verdict().word(), cell(AbText.answer(it))));
    lines.add("");
    lines.add(cell(AbText.asked(it)) + "  ");
    lines.add(cell(AbText.why(it)) + "  ");
    lines.add(cell(AbText.rests(it)));
    if (it.responsible() != null) {
      lines.add("");
      lines.add(
          "Responsible: %s, %s of self time"
              .formatted(cell(it.responsible().metric()), AbText.change(it.responsible().ratio())));
    }
    List<Comparison> rows = new ArrayList<>();
    if (it.deciding() != null) rows.add(it.deciding());
    rows.addAll(it.metrics());
    it.scopes().stream()
        .filter(s -> s.verdict() == Verdict.FASTER || s.verdict() == Verdict.SLOWER)
        .forEach(rows::add);
    lines.add("");
    lines.add("| metric or scope | unit | A | B | change | q | |");
    lines.add("|---|---|--:|--:|---|--:|---|");
    for (Comparison row : rows) {
      lines.add(
          "| %s | %s | %s | %s | %s | %.3f | %s |"
              .formatted(
                  cell(row.metric()),
                  cell(row.unit()),
                  Quantity.number(Median.of(row.a())),
                  Quantity.number(Median.of(row.b())),
                  AbText.change(row.ratio()),
                  row.q(),
                  row.verdict().word()));
    }
    if (!it.gates().isEmpty()) {
      lines.add("");
      lines.add("| exact | A | B | |");
      lines.add("|---|---|---|---|");
      for (Gate gate : it.gates()) {
        lines.add(
            "| %s | %s | %s | %s |"
                .formatted(
                    gate.name(),
                    gate.a(),
                    gate.b(),
                    gate.result().name().toLowerCase(Locale.ROOT)));
      }
    }
    lines.add("");
    lines.add("`" + record + "`");
    return lines;
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;");
  }
}
