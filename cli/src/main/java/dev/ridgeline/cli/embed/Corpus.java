package dev.ridgeline.cli.embed;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The bundled texts: made up from a small grammar, always the same, as long as notes and paragraphs
 * are (5 to 120 words). Speed does not depend on what a text says, only on its length.
 */
public final class Corpus {
  /** How many there are. */
  static final int SIZE = 1_024;

  private static final int SHORTEST = 5;
  private static final int LONGEST = 120;

  private static final String[] WHO = {
    "the engineer", "our team", "a careful reader", "the old captain", "my neighbour",
        "the council",
    "every student", "the scheduler", "an early riser", "the profiler", "the librarian",
        "a stranger",
    "the night train", "the committee", "a small company", "the gardener", "their youngest daughter"
  };
  private static final String[] DOES = {
    "measured", "described", "forgot", "repaired", "questioned", "carried", "translated",
        "explained",
    "watched", "rewrote", "found", "counted", "ignored", "borrowed", "finished", "misunderstood"
  };
  private static final String[] WHAT = {
    "the bridge over the river", "a report about memory bandwidth", "three letters from the coast",
    "the slowest part of the program", "an unusual pattern in the data",
        "the garden behind the mill",
    "a recipe for dark bread", "the last page of the notebook", "the temperature of the lake",
    "seventeen boxes of photographs", "a theory of tides", "the cost of every operation",
    "an ancient map of the harbour", "the assumptions behind the forecast", "two broken clocks"
  };
  private static final String[] WHEN = {
    "before breakfast",
    "in the autumn of 1987",
    "while the others slept",
    "after a long discussion",
    "without saying why",
    "for the second time",
    "on a rainy Thursday",
    "with remarkable patience",
    "because nobody else would",
    "although the budget was gone",
    "near the end of the century",
    "as soon as the measurements agreed",
    "despite the noise",
    "just to be sure"
  };
  private static final String[] JOIN = {"and", "but", "so", "while", "yet", "because"};

  private Corpus() {}

  /** The first so many texts. */
  public static List<String> texts(int count) {
    Random random = new Random(20_251_116);
    List<String> texts = new ArrayList<>(count);
    while (texts.size() < count) texts.add(text(random));
    return List.copyOf(texts);
  }

  private static String text(Random random) {
    // Short texts are more common than long ones.
    double part = random.nextDouble();
    int words = (int) (SHORTEST + (LONGEST - SHORTEST) * part * part);
    StringBuilder text = new StringBuilder();
    int count = 0;
    while (count < words) {
      String sentence = sentence(random);
      text.append(text.isEmpty() ? "" : " ").append(sentence);
      count += sentence.split(" ").length;
    }
    return text.toString();
  }

  private static String sentence(Random random) {
    String clause = clause(random);
    if (random.nextInt(3) == 0) clause += ", " + of(JOIN, random) + " " + clause(random);
    return Character.toUpperCase(clause.charAt(0)) + clause.substring(1) + ".";
  }

  private static String clause(Random random) {
    String clause = of(WHO, random) + " " + of(DOES, random) + " " + of(WHAT, random);
    return random.nextBoolean() ? clause : clause + " " + of(WHEN, random);
  }

  private static String of(String[] words, Random random) {
    return words[random.nextInt(words.length)];
  }
}
