package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Answer.Fact;
import dev.ridgeline.lab.sweep.Answer.Table;
import dev.ridgeline.lab.trial.ExperimentText;
import dev.ridgeline.report.Markdown;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A study for people: the answer first, then what it rests on. */
public final class StudyText {
  /** The fact that says how much was measured. */
  public static final String RESTS = "Rests";

  /** The ratio of an arm to itself, wherever it stands in a table. */
  public static final String ITSELF = "1x";

  private static final int BAR = 20;

  private StudyText() {}

  /**
   * The lines.
   *
   * @param record the directory it is kept in
   */
  public static List<String> lines(Study it, String record) {
    List<String> lines = new ArrayList<>();
    lines.add(Text.clean(it.answer().headline()));
    lines.add("");
    int width = 6;
    List<Fact> facts = facts(it);
    for (Fact fact : facts) width = Math.max(width, fact.name().length());
    for (Fact fact : facts) {
      lines.add("  %s  %s".formatted(pad(fact.name(), width), Text.clean(fact.text())));
    }
    for (Table table : it.answer().tables()) {
      lines.add("");
      lines.addAll(table(table));
    }
    lines.add("");
    lines.add("  %s  %s/%s".formatted(pad("Record", width), record, StudyJson.FILE));
    lines.add("  %s  %s/%s".formatted(pad("Open", width), record, StudyPage.FILE));
    return lines;
  }

  /** The same as Markdown. */
  public static List<String> markdown(Study it, String record) {
    List<String> lines = new ArrayList<>();
    lines.add("**" + Markdown.escape(it.answer().headline()) + "**");
    lines.add("");
    for (Fact fact : facts(it)) {
      lines.add("- %s: %s".formatted(fact.name(), Markdown.escape(fact.text())));
    }
    for (Table table : it.answer().tables()) {
      lines.add("");
      if (!table.title().isEmpty()) {
        lines.addAll(List.of("### " + Markdown.escape(table.title()), ""));
      }
      lines.add(row(table.columns()));
      lines.add("|---" + "|--:".repeat(table.columns().size() - 1) + "|");
      for (List<String> row : table.rows()) lines.add(row(row));
    }
    lines.add("");
    lines.add("Record: `%s`".formatted(record));
    return lines;
  }

  private static String row(List<String> cells) {
    return cells.stream().map(Markdown::escape).collect(Collectors.joining(" | ", "| ", " |"));
  }

  /** What the answer says, then what every study says. */
  static List<Fact> facts(Study it) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("Asked", it.setting().title()));
    facts.addAll(it.answer().facts());
    for (String warning : it.answer().warnings()) facts.add(new Fact("Beware", warning));
    for (List<String> same : it.outcome().samePlans()) {
      facts.add(
          new Fact("Beware", "the same code ran in " + String.join(" and ", same) + ": same plan"));
    }
    // An answer whose trials are of another kind says itself what it rests on.
    if (facts.stream().anyMatch(fact -> fact.name().equals(RESTS))) return facts;
    int arms = it.outcome().arms().size();
    int fewest =
        HodgesLehmann.fewest(it.winner() == null ? Outcome.CONFIDENCE : Winner.confidence(arms));
    if (it.rounds() < fewest) {
      double round = it.tookSeconds() / (it.rounds() + 1);
      double seconds = Sweep.enough(round, arms, it.winner() != null);
      facts.add(
          new Fact(
              "Beware",
              "%s cannot be sure of anything: --budget %s would do"
                  .formatted(Quantity.many(it.rounds(), "round"), ExperimentText.budget(seconds))));
    }
    facts.add(new Fact(RESTS, rests(it)));
    return facts;
  }

  private static String rests(Study it) {
    List<String> words = new ArrayList<>();
    List<Arm> arms = it.outcome().arms();
    int whole = it.outcome().rounds(arms.stream().map(Arm::name).toArray(String[]::new));
    words.add(
        "%s of %s".formatted(Quantity.many(whole, "round"), Quantity.many(arms.size(), "arm")));
    if (it.rounds() > whole)
      words.add("%d more of the best and the reference".formatted(it.rounds() - whole));
    words.add("each trial a fresh process, in random order");
    if (it.repeated() > 0) words.add(Quantity.many(it.repeated(), "trial") + " repeated");
    int disturbed = it.outcome().disturbed();
    if (disturbed > 0) words.add(Quantity.many(disturbed, "trial") + " disturbed");
    words.add(Quantity.left(it.tookSeconds()) + (it.stopped() ? ", stopped" : ""));
    return String.join(" · ", words);
  }

  private static List<String> table(Table table) {
    List<String> lines = new ArrayList<>();
    if (!table.title().isEmpty()) lines.add("  " + Text.clean(table.title()));
    int[] widths = new int[table.columns().size()];
    List<List<String>> all = new ArrayList<>();
    all.add(table.columns().stream().map(Text::clean).toList());
    for (List<String> row : table.rows()) all.add(row.stream().map(Text::clean).toList());
    for (List<String> row : all) {
      for (int i = 0; i < widths.length; i++) widths[i] = Math.max(widths[i], row.get(i).length());
    }
    for (List<String> row : all) {
      StringBuilder line = new StringBuilder("  " + pad(row.getFirst(), widths[0]));
      for (int i = 1; i < widths.length; i++) {
        line.append("  ").append(" ".repeat(widths[i] - row.get(i).length())).append(row.get(i));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  /** {@code −8.3 % (−10.1 to −6.5)} of a log-ratio. */
  public static String change(Interval log) {
    if (Double.isNaN(log.estimate())) return "–";
    String middle = Quantity.change(Math.expm1(log.estimate()));
    if (!log.bounded()) return middle + " (?)";
    return "%s (%s to %s)"
        .formatted(
            middle,
            Quantity.signed(Math.expm1(log.low())),
            Quantity.signed(Math.expm1(log.high())));
  }

  /** {@code 1.34x (1.30–1.38)} of a log-ratio; {@link #ITSELF} of one that nobody measured. */
  public static String times(Interval log) {
    if (Double.isNaN(log.estimate())) return "–";
    if (log.confidence() == 1 && log.low() == 0 && log.high() == 0) return ITSELF;
    String middle = Quantity.fixed(Math.exp(log.estimate()), 2) + "x";
    if (!log.bounded()) return middle + " (?)";
    return "%s (%s–%s)"
        .formatted(
            middle,
            Quantity.fixed(Math.exp(log.low()), 2),
            Quantity.fixed(Math.exp(log.high()), 2));
  }

  /** {@code 471 (466–475)}. */
  public static String level(Interval level) {
    if (Double.isNaN(level.estimate())) return "–";
    String middle = Quantity.number(level.estimate());
    if (!level.bounded()) return middle;
    return "%s (%s–%s)"
        .formatted(middle, Quantity.number(level.low()), Quantity.number(level.high()));
  }

  /** {@code ███▌······ round 3 of 12 · packed-8 · known within ±3.1 % · 73 s left}. */
  public static String progress(Sweep sweep, Arm arm) {
    List<String> words = new ArrayList<>();
    words.add(bar(sweep.took() / (sweep.took() + sweep.toGo())));
    if (sweep.planned() == 0) {
      words.add("trying " + arm.name());
    } else {
      words.add(
          "round %d of at most %d"
              .formatted(sweep.rounds(), Math.max(sweep.rounds(), sweep.planned())));
      words.add(arm.name());
      double uncertain = sweep.uncertainty();
      if (Double.isFinite(uncertain)) {
        words.add("known within ±%s %%".formatted(Quantity.fixed(100 * Math.expm1(uncertain), 1)));
      }
    }
    words.add(Quantity.left(sweep.toGo()) + " left");
    return String.join(" · ", words);
  }

  private static String bar(double part) {
    int full = (int) (part * BAR);
    return "█".repeat(full) + "░".repeat(BAR - full);
  }
}
