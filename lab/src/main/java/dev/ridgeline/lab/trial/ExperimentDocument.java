package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.chart.Tone;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Document.Figure;
import dev.ridgeline.lab.document.Document.Part;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.document.Table.Row;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.verdict.Comparison;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.lab.verdict.Verdict;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;

/** An experiment as a document: the answer, every pair of it, every trial. */
public final class ExperimentDocument {
  /** Scopes that are shown at most. */
  private static final int SCOPES = 8;

  private final Experiment it;
  private final List<Part> parts = new ArrayList<>();

  private ExperimentDocument(Experiment it) {
    this.it = it;
  }

  public static Document of(Experiment it) {
    return new ExperimentDocument(it).draw();
  }

  private Document draw() {
    fact("Why", ExperimentText.why(it));
    fact("Rests", ExperimentText.rests(it));
    it.unsteadiness().forEach(each -> fact("Note", each));
    if (it.responsible() != null) fact("Where", ExperimentText.where(it));
    ExperimentText.gates(it).forEach(each -> fact("Exact", each));
    parts.addAll(Document.origin(it.setting().started(), it.setting().command(), it.seed()));
    PairsChart.of(it).ifPresent(chart -> parts.add(new Figure(chart).detail()));
    List<Row> metrics = new ArrayList<>();
    if (it.deciding() != null) metrics.add(row(it.deciding(), it.decidingRatio(), it.verdict()));
    it.metrics().forEach(each -> metrics.add(row(each, each.ratio(), each.verdict())));
    table("metric", metrics);
    table(
        "self time of scopes, " + it.setting().scopeUnit(),
        it.scopes().stream()
            .filter(each -> tone(each.verdict()) != Tone.PLAIN)
            .limit(SCOPES)
            .map(each -> row(each, each.ratio(), each.verdict()))
            .toList());
    if (!it.gates().isEmpty()) {
      List<String> columns = List.of("", "A", "B", "");
      parts.add(Table.of("exact", columns, it.gates(), ExperimentDocument::row).detail());
    }
    String metric = it.deciding() == null ? "" : it.deciding().metric();
    parts.add(TrialTable.of(it.trials(), Arm::word, "pair", metric, metric).detail());
    return new Document(
        ExperimentText.asked(it),
        it.verdict().word(),
        tone(it.verdict()),
        ExperimentText.answer(it),
        it.warnings(),
        parts);
  }

  private void fact(String name, String text) {
    parts.add(new Fact(name, text));
  }

  private void table(String title, List<Row> rows) {
    if (rows.isEmpty()) return;
    parts.add(new Table(title, "", List.of("", "A", "B", "change", "q", ""), rows));
  }

  /** A metric or a scope; what decides has paid for its looks. */
  private Row row(Comparison each, Interval ratio, Verdict verdict) {
    boolean unit = !each.unit().isEmpty() && !it.scopes().contains(each);
    return Row.of(
        tone(verdict),
        each.metric() + (unit ? ", " + each.unit() : ""),
        Quantity.number(Median.of(each.a())),
        Quantity.number(Median.of(each.b())),
        ExperimentText.change(ratio),
        Quantity.fixed(each.q(), 3),
        verdict.word());
  }

  private static Row row(Gate gate) {
    Tone tone = gate.failed() ? Tone.WORSE : Tone.PLAIN;
    return Row.of(tone, gate.name(), gate.a(), gate.b(), gate.word());
  }

  /** What a verdict's colour says. */
  public static Tone tone(Verdict verdict) {
    return switch (verdict) {
      case FASTER -> Tone.BETTER;
      case SLOWER -> Tone.WORSE;
      default -> Tone.PLAIN;
    };
  }
}
