package dev.ridgeline.lab.document;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.Tone;
import dev.ridgeline.lab.page.Page;
import dev.ridgeline.report.run.Again;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * An answer and what it rests on, before anybody decides whether it is printed, sent or opened.
 *
 * @param title what was asked, in one line
 * @param headline the answer, in few words; empty where there is none
 * @param tone what the answer's colour says
 * @param answer more of the answer, or empty
 * @param warnings what must be known before the answer, a line each
 * @param parts all else, most important first
 */
public record Document(
    String title,
    String headline,
    Tone tone,
    String answer,
    List<String> warnings,
    List<Part> parts) {

  /** Name of the page in a record. */
  public static final String PAGE = "report.html";

  static final String ASKED = "Asked";

  /** When it was measured and how, for those who open the page. */
  public static List<Part> origin(Instant started, List<String> command, long seed) {
    return List.of(
        new Fact("Started", Page.moment(started)).detail(),
        new Fact("Command", Again.line(command), true).detail(),
        new Fact("Seed", Long.toString(seed)).detail());
  }

  public Document {
    warnings = List.copyOf(warnings);
    parts = List.copyOf(parts);
  }

  /** A part of a document. */
  public sealed interface Part permits Fact, Note, Table, Figure, Drawing, Gap, Detail {
    /** The same for those who open the page, and nobody else. */
    default Part detail() {
      return new Detail(this);
    }
  }

  /** What only a page shows. */
  record Detail(Part part) implements Part {}

  /**
   * A line with a name before it.
   *
   * @param code whether it is something to type, or a path
   */
  public record Fact(String name, String text, boolean code) implements Part {
    private static final String BEWARE = "Beware";

    public Fact(String name, String text) {
      this(name, text, false);
    }

    /** What stands against the answer. */
    public static Fact beware(String text) {
      return new Fact(BEWARE, text);
    }

    boolean warns() {
      return name.equals(BEWARE);
    }
  }

  /** A line of its own. */
  public record Note(String text) implements Part {}

  /** A chart under its title. */
  public record Figure(Chart chart) implements Part {}

  /** A drawing that is HTML already, with a script perhaps; for a page alone. */
  public record Drawing(Supplier<String> html) implements Part {}

  /** All parts where the title has no place of its own: the question is the first fact then. */
  List<Part> withQuestion() {
    if (headline.isEmpty() || title.isEmpty()) return parts;
    List<Part> all = new ArrayList<>(List.of(new Fact(ASKED, title)));
    all.addAll(parts);
    return all;
  }

  /** The same with the places where it is kept. */
  public Document keptIn(String folder, String file) {
    List<Part> all = new ArrayList<>(parts);
    all.add(new Gap());
    all.add(new Fact("Record", folder + "/" + file, true));
    all.add(new Fact("Open", folder + "/" + PAGE, true));
    return new Document(title, headline, tone, answer, warnings, all);
  }

  /** An empty line, where there are lines. */
  public record Gap() implements Part {}
}
