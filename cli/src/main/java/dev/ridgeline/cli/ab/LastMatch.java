package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.Problem;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.report.Quantity;
import java.util.function.BooleanSupplier;
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
    Matcher matcher = pattern.matcher(new Watched(text, System.nanoTime()));
    String found = null;
    try {
      while (matcher.find()) found = matcher.group(1);
    } catch (GivenUp _) {
      if (stopped.getAsBoolean()) throw new Stopped();
      throw refused("takes more than %.0f s".formatted(mostSeconds), text);
    } catch (StackOverflowError _) {
      throw refused("repeats a group too often", text);
    }
    return found;
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
