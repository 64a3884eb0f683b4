package dev.ridgeline.cli.train;

import static dev.ridgeline.lab.page.Page.escape;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.Chart.Drawn;
import dev.ridgeline.lab.chart.Chart.Point;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.chart.Tone;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.Document.Drawing;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Document.Figure;
import dev.ridgeline.lab.document.Document.Part;
import dev.ridgeline.lab.document.HtmlPage;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.train.log.JournalReader;
import dev.ridgeline.train.log.Line;
import dev.ridgeline.train.loop.Training;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** A training as one page that opens offline: its losses over steps, its samples, its figures. */
final class TrainingPage {
  /** Points of a curve at most: steps beyond are drawn as their means. */
  private static final int MOST = 500;

  private final Training training;
  private final List<Line.Step> steps = new ArrayList<>();
  private final List<Line.Evaluation> evaluations = new ArrayList<>();
  private final List<Line.Sample> samples = new ArrayList<>();

  private TrainingPage(Training training) {
    this.training = training;
    for (Line line : JournalReader.read(training.journalFile())) {
      switch (line) {
        case Line.Step step -> steps.add(step);
        case Line.Evaluation evaluation -> evaluations.add(evaluation);
        case Line.Sample sample -> samples.add(sample);
      }
    }
  }

  /**
   * Writes the page of what the journal has so far.
   *
   * @param config as it was given
   */
  static void write(Training training, int workers, Path config) {
    Document document = new TrainingPage(training).document(workers, text(config));
    WholeFile.write(training.page(), out -> HtmlPage.write(document, out));
  }

  private static String text(Path config) {
    try {
      return new String(Files.readAllBytes(config), StandardCharsets.UTF_8);
    } catch (IOException _) {
      return ""; // it was there when training began; the page can do without
    }
  }

  private Document document(int workers, String config) {
    List<Part> parts = new ArrayList<>();
    facts().forEach((name, text) -> parts.add(new Fact(name, text)));
    charts().forEach(chart -> parts.add(new Figure(chart)));
    if (!samples.isEmpty()) parts.add(new Drawing(this::written));
    parts.add(
        new Drawing(() -> "<h2>Configuration</h2>\n<pre>%s</pre>\n".formatted(escape(config))));
    return new Document(
        Prospect.line(training, workers), headline(), Tone.PLAIN, "", List.of(), parts);
  }

  private String written() {
    StringBuilder written = new StringBuilder("<h2>Samples</h2>\n");
    for (Line.Sample sample : samples.reversed()) {
      written
          .append("<h3>after step ")
          .append(Quantity.count(sample.step()))
          .append("</h3>\n<pre><b>")
          .append(escape(sample.prompt()))
          .append("</b>")
          .append(escape(sample.text()))
          .append("</pre>\n");
    }
    return written.toString();
  }

  private String headline() {
    String steps = "%,d of %,d steps".formatted(training.step(), training.steps());
    if (!training.finite()) return "loss is NaN after " + steps;
    if (evaluations.isEmpty()) {
      return "loss %s after %s".formatted(Quantity.fixed(training.loss(), 3), steps);
    }
    double loss = evaluations.getLast().loss();
    return "evaluation %s nats per token after %s".formatted(Quantity.fixed(loss, 3), steps);
  }

  private Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    if (!steps.isEmpty()) {
      Line.Step last = steps.getLast();
      facts.put("Loss", Quantity.fixed(last.loss(), 4) + " in the last step");
      facts.put(
          "Best",
          evaluations.stream()
              .min(Comparator.comparingDouble(Line.Evaluation::loss))
              .map(it -> "%s after step %,d".formatted(Quantity.fixed(it.loss(), 4), it.step()))
              .orElse("never evaluated"));
      facts.put("Took", Quantity.left(training.seconds()));
      facts.put(
          "Speed",
          "%s tokens/s in all, %s in recent steps"
              .formatted(
                  Quantity.number(training.overall()), Quantity.number(last.tokensPerSecond())));
      facts.put("Resident", Quantity.bytes(last.memory()));
    }
    facts.put("Model", training.model().toString());
    facts.put("Data", Prospect.data(training));
    facts.put("Machine", Machine.here().line());
    facts.put("Written", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    return facts;
  }

  private List<Chart> charts() {
    List<Chart.Series> losses = new ArrayList<>();
    losses.add(new Chart.Series("loss of steps", Drawn.CURVE, curve(Line.Step::loss)));
    if (!evaluations.isEmpty()) {
      List<Point> points = evaluations.stream().map(it -> Point.of(it.step(), it.loss())).toList();
      // One place is no line.
      Drawn drawn = points.size() > 1 ? Drawn.CURVE : Drawn.LINE;
      losses.add(new Chart.Series("evaluation", drawn, points));
    }
    return List.of(
        chart("Loss", "nats", losses),
        one("Speed", "tokens/s", Line.Step::tokensPerSecond),
        one("Gradients before clipping", "norm", Line.Step::norm),
        one("Rate", "rate", Line.Step::rate));
  }

  private Chart one(String title, String y, ToDoubleFunction<Line.Step> figure) {
    return chart(title, y, List.of(new Chart.Series(y, Drawn.CURVE, curve(figure))));
  }

  private static Chart chart(String title, String y, List<Chart.Series> series) {
    return new Chart(title, "step", y, Scale.LINEAR, Scale.LINEAR, series, List.of());
  }

  private List<Point> curve(ToDoubleFunction<Line.Step> figure) {
    List<Point> points = new ArrayList<>();
    int each = Math.ceilDiv(Math.max(1, steps.size()), MOST);
    for (int from = 0; from < steps.size(); from += each) {
      List<Line.Step> some = steps.subList(from, Math.min(steps.size(), from + each));
      double mean = some.stream().mapToDouble(figure).average().orElseThrow();
      points.add(Point.of(some.get(some.size() / 2).step(), mean));
    }
    return points;
  }
}
