package dev.ridgeline.cli.generate;

import dev.ridgeline.model.generate.Finish;
import dev.ridgeline.model.generate.Observer;
import dev.ridgeline.report.Quantity;
import java.util.List;
import java.util.stream.Collectors;

/** How fast prompts were read and tokens made. */
final class Speed implements Observer {
  private long begin;
  private long promptTokens;
  private long promptNanos;
  private long tokens;
  private long nanos;
  private long firstNanos;
  private boolean waiting;

  /** Prompts begin to be read: the time to the first token runs. */
  void begin() {
    begin = System.nanoTime();
    waiting = true;
  }

  @Override
  public void passed(boolean prefill, int sequences, int rows, int position, long passNanos) {
    if (prefill) {
      promptTokens += rows;
      promptNanos += passNanos;
      // The last pass over the prompts makes the first token, too.
      if (waiting) firstNanos = System.nanoTime() - begin;
    } else {
      tokens += rows;
      nanos += passNanos;
      waiting = false;
    }
  }

  /** Tokens made a second, so far. */
  double rate() {
    return nanos == 0 ? 0 : tokens / (nanos / 1e9);
  }

  /** In one line. */
  String line(long generated, List<Finish> ends) {
    StringBuilder line = new StringBuilder();
    line.append(Quantity.many(promptTokens, "prompt token"));
    if (promptNanos > 0) line.append(" at ").append(rate(promptTokens, promptNanos));
    line.append(", first token after ").append(Quantity.time(firstNanos));
    line.append(" · ").append(Quantity.many(generated, "token"));
    if (nanos > 0) line.append(" at ").append(rate(tokens, nanos));
    line.append(" · ended: ");
    return line.append(reasons(ends)).toString();
  }

  private static String rate(long count, long nanos) {
    return Quantity.number(count / (nanos / 1e9)) + " tokens/s";
  }

  /** Why texts ended, counted. */
  static String reasons(List<Finish> ends) {
    if (ends.size() == 1) return ends.getFirst().words();
    return ends.stream()
        .collect(Collectors.groupingBy(end -> end, java.util.TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(end -> end.getValue() + " × " + end.getKey().words())
        .collect(Collectors.joining(", "));
  }
}
