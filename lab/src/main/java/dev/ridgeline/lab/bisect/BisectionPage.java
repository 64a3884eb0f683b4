package dev.ridgeline.lab.bisect;

import static dev.ridgeline.lab.page.Page.escape;

import dev.ridgeline.lab.bisect.Bisection.Answer;
import dev.ridgeline.lab.chart.ChartSvg;
import dev.ridgeline.lab.page.Page;
import dev.ridgeline.report.run.Again;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;

/** A search as one page that opens offline: the commit, all commits in a plot, every step. */
public final class BisectionPage {
  /** Name of the file in the record. */
  public static final String FILE = "report.html";

  private BisectionPage() {}

  /** Writes the page. */
  public static void write(Bisection it, OutputStream out) throws IOException {
    Map<String, String> parts = new HashMap<>();
    parts.put("headline", escape(BisectionText.headline(it)));
    parts.put("asked", escape(asked(it)));
    parts.put("class", it.answer() == Answer.FOUND ? it.direction().word() : "");
    parts.put("change", escape(BisectionText.change(it.evidence())));
    parts.put("facts", facts(it));
    parts.put("plot", ChartSvg.of(CommitsChart.of(it)));
    parts.put("steps", it.steps().isEmpty() ? "" : steps(it));
    parts.put("suspects", suspects(it));
    Page.write("bisection.html", parts, out);
  }

  /** {@code ./bench, from 1a2b3c… to 4d5e6f…}. */
  private static String asked(Bisection it) {
    return "%s, from %s to %s"
        .formatted(
            it.setting().measured(), it.question().good().name(), it.question().bad().name());
  }

  private static String facts(Bisection it) {
    StringBuilder facts = new StringBuilder();
    Commit commit = it.commit();
    if (commit != null) {
      fact(facts, "commit", commit.hash());
      fact(facts, "author", commit.author());
      fact(facts, "date", commit.date());
      fact(facts, "subject", commit.subject());
    }
    fact(facts, "ends", BisectionText.ends(it));
    fact(facts, "good", it.question().good().title());
    fact(facts, "bad", it.question().bad().title());
    fact(facts, "why", BisectionText.why(it));
    fact(facts, "rests on", BisectionText.rests(it));
    fact(facts, "measured", it.setting().measured());
    fact(facts, "repository", it.setting().repository());
    fact(facts, "started", Page.moment(it.setting().started()));
    fact(facts, "command", Again.line(it.setting().command()));
    fact(facts, "seed of the order", Long.toString(it.question().seed()));
    return facts.toString();
  }

  private static void fact(StringBuilder facts, String name, String text) {
    facts.append("<dt>").append(name).append("</dt><dd>").append(escape(text)).append("</dd>\n");
  }

  private static String steps(Bisection it) {
    StringBuilder rows = new StringBuilder();
    for (Step step : it.steps()) {
      String style =
          switch (step.outcome()) {
            case GOOD -> "better";
            case BAD -> "worse";
            case UNDECIDED, UNUSABLE -> "aside";
          };
      rows.append(
          Page.row(
              style,
              step.commit().title(),
              Integer.toString(step.suspects()),
              BisectionText.against(step),
              Integer.toString(step.rounds()),
              Integer.toString(step.disturbed()),
              BisectionText.sure(step),
              step.outcome().word() + (step.why().isEmpty() ? "" : ": " + step.why())));
    }
    return """
    <h2>Steps</h2>
    <p class="legend">In the order in which they were tried, each in rounds with both ends. \
    Pale ones were skipped.</p>
    <table>
    <thead><tr><th>commit</th><th>suspects</th><th>against good</th><th>rounds</th>\
    <th>disturbed</th><th>sure</th><th>is</th></tr></thead>
    <tbody>
    %s</tbody>
    </table>
    """
        .formatted(rows);
  }

  private static String suspects(Bisection it) {
    if (it.answer() != Answer.NARROWED) return "";
    StringBuilder list = new StringBuilder("<h2>Suspected still</h2>\n<ul>\n");
    for (Commit each : it.left().reversed()) {
      list.append("<li>").append(escape(each.title())).append("</li>\n");
    }
    return list.append("</ul>\n").toString();
  }
}
