package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.report.Quantity;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The last that a pattern finds: programs tell progress before they tell results.
 *
 * <p>A pattern may take longer over a text than anybody lives, or more of the stack than there is:
 * both are a {@link Problem}.
 *
 * @param pattern with one group
 * @param stopped whether nobody waits any longer
 * @param mostSeconds it may look
 */
record LastMatch(Pattern pattern, BooleanSupplier stopped, double mostSeconds) {
  /** What the group holds, or null where nothing matches. */
  String in(String text) throws Stopped {
    String[] found = {null};
    each(text, matcher -> found[0] = matcher.group(1));
    return found[0];
  }

  /** A text without what the group holds wherever the pattern matches. */
  String without(String text) throws Stopped {
    StringBuilder rest = new StringBuilder();
    int[] from = {0};
    each(
        text,
        matcher -> {
          if (matcher.start(1) < 0) return;
          rest.append(text, from[0], matcher.start(1));
          from[0] = matcher.end(1);
        });
    return rest.append(text, from[0], text.length()).toString();
  }

  private void each(String text, Consumer<Matcher> found) throws Stopped {
    Matcher matcher = pattern.matcher(new Watched(text, System.nanoTime()));
    try {
      while (matcher.find()) found.accept(matcher);
    } catch (GivenUp _) {
      if (stopped.getAsBoolean()) throw new Stopped();
      throw refused("takes more than %.0f s".formatted(mostSeconds), text);
    } catch (StackOverflowError _) {
      throw refused("repeats a group too often", text);
    }
  }

  private Problem refused(String why, String text) {
    return new Problem(
        "--metric %s: %s over %s of output".formatted(pattern, why, Quantity.bytes(text.length())));
  }

  /** A text that is read by a pattern, which nothing else can stop. */
  private final class Watched implements CharSequence {
    /** Reads between two looks at the clock. */
    private static final int OFTEN = 1 << 12;

    private final CharSequence text;
    private final long begin;
    private int reads;

    Watched(CharSequence text, long begin) {
      this.text = text;
      this.begin = begin;
    }

    @Override
    public char charAt(int index) {
      if (++reads % OFTEN == 0) {
        boolean late = System.nanoTime() - begin > 1e9 * mostSeconds;
        if (late || stopped.getAsBoolean()) throw new GivenUp();
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }

  private static final class GivenUp extends RuntimeException {
    private static final long serialVersionUID = 1;

    GivenUp() {
      super(null, null, false, false);
    }
  }
}
