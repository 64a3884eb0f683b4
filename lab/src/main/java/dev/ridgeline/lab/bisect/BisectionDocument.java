package dev.ridgeline.lab.bisect;

import dev.ridgeline.lab.bisect.Bisection.Answer;
import dev.ridgeline.lab.chart.Tone;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Document.Figure;
import dev.ridgeline.lab.document.Document.Part;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.document.Table.Row;
import dev.ridgeline.lab.trial.ExperimentDocument;
import java.util.ArrayList;
import java.util.List;

/** A search as a document: the commit first, then what it rests on, every commit and every step. */
public final class BisectionDocument {
  /** Commits of a range that are listed at most. */
  private static final int LISTED = 20;

  private BisectionDocument() {}

  public static Document of(Bisection it) {
    List<Part> parts = new ArrayList<>();
    Commit commit = it.commit();
    if (commit != null) {
      parts.add(new Fact("Commit", commit.hash()));
      parts.add(new Fact("", commit.author() + ", " + commit.date()));
      parts.add(new Fact("", commit.subject()));
    }
    parts.add(new Fact("Change", BisectionText.change(it.evidence())));
    if (it.evidence() != it.ends()) parts.add(new Fact("Ends", BisectionText.ends(it)));
    parts.add(new Fact("Good", it.question().good().title()));
    parts.add(new Fact("Bad", it.question().bad().title()));
    parts.add(new Fact("Why", BisectionText.why(it)));
    parts.add(new Fact("Rests", BisectionText.rests(it)));
    parts.add(new Fact("Repository", it.setting().repository()).detail());
    Bisection.Setting setting = it.setting();
    parts.addAll(Document.origin(setting.started(), setting.command(), it.question().seed()));
    parts.add(new Figure(CommitsChart.of(it)).detail());
    if (it.answer() == Answer.NARROWED) parts.add(suspects(it.left().reversed()));
    if (!it.steps().isEmpty()) parts.add(steps(it));
    Tone tone = it.answer() == Answer.FOUND ? ExperimentDocument.tone(it.direction()) : Tone.PLAIN;
    return new Document(
        BisectionText.asked(it), BisectionText.headline(it), tone, "", List.of(), parts);
  }

  private static Table suspects(List<Commit> left) {
    List<Row> rows = new ArrayList<>();
    for (Commit each : left.subList(0, Math.min(LISTED, left.size()))) {
      rows.add(Row.of(Tone.PLAIN, each.title()));
    }
    int more = left.size() - rows.size();
    if (more > 0) rows.add(Row.of(Tone.PLAIN, "… and " + more + " more"));
    return new Table("suspected still, the newest first", "", List.of(""), rows);
  }

  private static Table steps(Bisection it) {
    return Table.of(
            "steps",
            List.of("", "suspects", "against good", "rounds", "disturbed", "certain", ""),
            it.steps(),
            step ->
                Row.of(
                    tone(step),
                    step.commit().name(),
                    Integer.toString(step.suspects()),
                    BisectionText.against(step),
                    Integer.toString(step.rounds()),
                    Integer.toString(step.disturbed()),
                    BisectionText.sure(step),
                    "%-9s  %s%s"
                        .formatted(
                            step.outcome().word(),
                            step.commit().subject(),
                            step.why().isEmpty() ? "" : " (" + step.why() + ")")))
        .explained(
            "In the order in which they were tried, each in rounds with both ends. Pale ones were"
                + " skipped.");
  }

  private static Tone tone(Step step) {
    return switch (step.outcome()) {
      case GOOD -> Tone.BETTER;
      case BAD -> Tone.WORSE;
      case UNDECIDED, UNUSABLE -> Tone.ASIDE;
    };
  }
}
