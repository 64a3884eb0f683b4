package dev.ridgeline.lab.history.trend;

import dev.ridgeline.lab.chart.Tone;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Document.Figure;
import dev.ridgeline.lab.document.Document.Gap;
import dev.ridgeline.lab.document.Document.Note;
import dev.ridgeline.lab.document.Document.Part;
import java.util.ArrayList;
import java.util.List;

/** Trends as a document: a chart each, and each change with the runs it lies between. */
public final class TrendDocument {
  private static final String LEGEND =
      "Each dot is a run, the oldest at the left; point at one for its value, folder and revision."
          + " A line is a level, a vertical one a change of it, a grey band where that change may"
          + " begin with 95 % confidence. Runs that were disturbed for a while belong to no level."
          + " To prove a change: ridgeline ab.";

  private TrendDocument() {}

  /**
   * The document.
   *
   * @param asked the metric, as it was asked for
   */
  public static Document of(String asked, List<Trend> trends) {
    List<Part> parts = new ArrayList<>(List.of(new Note(LEGEND).detail()));
    for (Trend trend : trends) {
      parts.add(new Gap());
      add(trend, parts);
    }
    return new Document(asked + " over time", "", Tone.PLAIN, "", List.of(), parts);
  }

  private static void add(Trend trend, List<Part> parts) {
    parts.add(new Figure(TrendChart.of(trend)));
    parts.add(new Note(trend.newest().title()));
    parts.add(new Note(trend.newest().machine().line()));
    parts.add(new Note(TrendText.runs(trend)));
    parts.add(new Note(TrendText.summary(trend)));
    if (!TrendText.lately(trend).isEmpty()) parts.add(new Note(TrendText.lately(trend)));
    for (int i = 0; i < trend.changes().size(); i++) {
      parts.add(new Gap());
      String name = Integer.toString(i + 1);
      for (String line : TrendText.lines(trend, trend.changes().get(i))) {
        parts.add(new Fact(name, line));
        name = "";
      }
    }
  }
}
