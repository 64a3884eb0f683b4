package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.chart.Tone;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Document.Figure;
import dev.ridgeline.lab.document.Document.Part;
import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.trial.ExperimentText;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.TrialTable;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;

/** A study as a document: the answer, its charts and tables, every trial. */
public final class StudyDocument {
  private final Study it;
  private final List<Part> parts = new ArrayList<>();

  private StudyDocument(Study it) {
    this.it = it;
  }

  public static Document of(Study it) {
    return new StudyDocument(it).draw();
  }

  private Document draw() {
    facts();
    Study.Setting setting = it.setting();
    parts.addAll(Document.origin(setting.started(), setting.command(), setting.seed()));
    it.answer().charts().forEach(chart -> parts.add(new Figure(chart).detail()));
    parts.addAll(it.answer().tables());
    parts.add(
        TrialTable.of(it.outcome().trials(), Arm::name, "round", it.setting().metric(), measured())
            .detail());
    return new Document(setting.title(), it.answer().headline(), Tone.PLAIN, "", List.of(), parts);
  }

  /** What the answer says, then what every study says. */
  private void facts() {
    parts.addAll(it.answer().facts());
    it.answer().warnings().forEach(each -> parts.add(Fact.beware(each)));
    for (List<String> same : it.outcome().samePlans()) {
      String arms = String.join(" and ", same);
      parts.add(Fact.beware("the same code ran in " + arms + ": same plan"));
    }
    // An answer whose trials are of another kind says itself what it rests on.
    if (it.answer().facts().stream().anyMatch(fact -> fact.name().equals(StudyText.RESTS))) return;
    int arms = it.outcome().arms().size();
    int fewest =
        HodgesLehmann.fewest(it.winner() == null ? Outcome.CONFIDENCE : Winner.confidence(arms));
    if (it.rounds() < fewest) {
      double round = it.tookSeconds() / (it.rounds() + 1);
      double seconds = Sweep.enough(round, arms, it.winner() != null);
      parts.add(
          Fact.beware(
              "%s cannot be sure of anything: --budget %s would do"
                  .formatted(Quantity.many(it.rounds(), "round"), ExperimentText.budget(seconds))));
    }
    parts.add(new Fact(StudyText.RESTS, StudyText.rests(it)));
  }

  /** The deciding metric and its unit, above its numbers. */
  private String measured() {
    Reading.Value metric = it.outcome().metric(it.setting().metric());
    String name = Standings.plain(it.setting().metric());
    return metric == null || metric.unit().isEmpty() ? name : name + ", " + metric.unit();
  }
}
