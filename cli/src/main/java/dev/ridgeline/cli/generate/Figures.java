package dev.ridgeline.cli.generate;

import dev.ridgeline.cli.workload.Latency;
import dev.ridgeline.cli.workload.Loading;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** What a profile of generating says in numbers, most important first. */
final class Figures {
  /** Scopes that choose tokens and make text of them, as readers call what they do. */
  private static final Map<String, String> WORDS =
      Map.of("sample", "sampling", "detokenize", "detokenizing");

  private final List<Metric> metrics = new ArrayList<>();
  private final UnaryOperator<String> key;

  /**
   * @param key what a figure of this name is called where several models run together
   */
  Figures(UnaryOperator<String> key) {
    this.key = key;
  }

  List<Metric> metrics() {
    return List.copyOf(metrics);
  }

  /**
   * How fast it was.
   *
   * @param sequences that share a pass at most; only where it is one is a pass a token
   * @param weightBytes that a pass reads
   */
  void rates(Passes passes, int sequences, long weightBytes) {
    add("decode", "tokens/s", Better.HIGHER, passes.each(Figures::decode));
    add("prefill", "tokens/s", Better.HIGHER, passes.each(Figures::prefill));
    add("to the first token", "ms", Better.LOWER, passes.each(Figures::first));
    boolean alone = sequences == 1;
    double[] millis = passes.millis();
    if (millis.length > 0) {
      String pass = alone ? "a token" : "a pass of up to " + sequences + " sequences";
      String each = "weights read per " + (alone ? "token" : "pass");
      metrics.addAll(Latency.metrics(key.apply(pass + ", "), millis));
      add("allocated per token", "B", Better.LOWER, passes.each(Figures::allocated));
      add(each, "MB", Better.LOWER, weightBytes / 1e6);
    }
  }

  /**
   * What a token costs behind prompts of each length; the place is the middle of those that were
   * made there.
   *
   * @param most tokens behind each
   */
  void depths(Passes passes, int[] lengths, int most) {
    for (int length : lengths) {
      double millis = passes.medianMillis(length, length + most + 1);
      if (Double.isNaN(millis)) continue;
      add(Generate.figure(length + most / 2), "ms", Better.LOWER, millis);
    }
  }

  /** Which part of making tokens is not the model's. */
  void shares(CallTree.Node decode) {
    if (decode == null || decode.totalNanos() == 0) return;
    for (CallTree.Node part : decode.children()) {
      if (!WORDS.containsKey(part.name())) continue;
      double percent = 100.0 * part.totalNanos() / decode.totalNanos();
      add(WORDS.get(part.name()) + ", share of decode", "%", Better.LOWER, percent);
    }
  }

  /** What loading took, and each step of it. */
  void load(Loading<?> loading) {
    for (Metric took : loading.metrics()) {
      add(took.name(), took.unit(), took.better(), took.median());
    }
  }

  /**
   * What is good to know besides.
   *
   * @param peakRssBytes below 0 when not known
   */
  void all(long tokens, long peakRssBytes) {
    add("tokens generated", "", Better.NEITHER, tokens);
    if (peakRssBytes >= 0) add("peak RSS", "MB", Better.LOWER, peakRssBytes / 1e6);
  }

  private void add(String name, String unit, Better better, double... samples) {
    if (samples.length > 0) metrics.add(Metric.of(key.apply(name), unit, better, samples));
  }

  // Of a round; no number where there is none.

  private static double decode(Passes.Round round) {
    return round.tokens() / (round.tokenNanos() / 1e9);
  }

  private static double prefill(Passes.Round round) {
    return round.promptTokens() / (round.promptNanos() / 1e9);
  }

  private static double first(Passes.Round round) {
    return round.firstNanos() == 0 ? Double.NaN : round.firstNanos() / 1e6;
  }

  private static double allocated(Passes.Round round) {
    return (double) round.allocatedBytes() / round.tokens();
  }
}
