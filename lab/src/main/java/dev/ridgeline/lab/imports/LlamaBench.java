package dev.ridgeline.lab.imports;

import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Results of llama.cpp's {@code llama-bench}: an object each, with a sample for each repetition.
 *
 * <p>Its fields change from build to build, so that only those are asked for that say what was
 * measured; all others are settings, and kept as such.
 */
final class LlamaBench implements Measurements.Tool {
  /** What is said elsewhere, or follows from the samples. */
  private static final Set<String> NO_SETTINGS =
      Set.of(
          "build_commit",
          "build_number",
          "cpu_info",
          "gpu_info",
          "backends",
          "model_filename",
          "model_type",
          "model_size",
          "model_n_params",
          "n_prompt",
          "n_gen",
          "n_depth",
          "test_time",
          "avg_ns",
          "stddev_ns",
          "avg_ts",
          "stddev_ts",
          "samples_ns",
          "samples_ts");

  @Override
  public String name() {
    return "llama-bench";
  }

  @Override
  public boolean wrote(JsonObject object) {
    return object.has("model_type")
        && object.has("n_gen")
        && (object.has("avg_ts") || object.has("samples_ts"));
  }

  @Override
  public List<Run> runs(JsonObject object, Instant moment) {
    long prompt = object.has("n_prompt") ? object.number("n_prompt", 0) : 0;
    long generated = object.number("n_gen", 0);
    long depth = object.has("n_depth") ? object.number("n_depth", 0) : 0;
    String model = object.text("model_type");
    String gpu = word(object, "gpu_info");
    String backends = word(object, "backends");
    ForeignRun run =
        new ForeignRun()
            .work("model", model)
            .work("file", word(object, "model_filename"))
            .work("model bytes", word(object, "model_size"))
            .work("parameters", word(object, "model_n_params"))
            .work("prompt tokens", Long.toString(prompt))
            .work("generated tokens", Long.toString(generated))
            .work("tokens before", Long.toString(depth))
            .work("gpu", gpu)
            .work("backends", backends);
    run.title = title(model, test(prompt, generated, depth), backends, object);
    run.revision = word(object, "build_commit");
    run.cpu = word(object, "cpu_info");
    for (String field : object.names()) {
      if (!NO_SETTINGS.contains(field)) run.plan(field, object.wordOrNull(field));
    }
    if (object.has("test_time")) run.started(object.moment("test_time"));
    else run.startedUnknown(moment);
    run.metric(metric(prompt, generated), "tokens/s", Better.HIGHER, samples(object));
    return List.of(run.done(name(), object, "samples_ts"));
  }

  private static String word(JsonObject object, String name) {
    String word = object.wordOrNull(name);
    return word == null ? "" : word;
  }

  /** As llama-bench itself calls it: {@code pp512}, {@code tg128 @ d512}. */
  private static String test(long prompt, long generated, long depth) {
    List<String> parts = new ArrayList<>();
    if (prompt > 0) parts.add("pp" + prompt);
    if (generated > 0) parts.add("tg" + generated);
    return String.join("+", parts) + (depth > 0 ? " @ d" + depth : "");
  }

  private static String title(String model, String test, String backends, JsonObject object) {
    List<String> parts = new ArrayList<>(List.of(model, test));
    if (!backends.isEmpty()) parts.add(backends);
    String threads = object.wordOrNull("n_threads");
    if (threads != null) parts.add(threads + (threads.equals("1") ? " thread" : " threads"));
    return String.join(" · ", parts);
  }

  /** Called as ours are, so that they stand beside each other. */
  private static String metric(long prompt, long generated) {
    if (prompt > 0 && generated > 0) return "prefill and decode";
    return generated > 0 ? "decode" : "prefill";
  }

  private static List<Double> samples(JsonObject object) {
    List<?> items = object.has("samples_ts") ? object.items("samples_ts") : List.of();
    // An average stands for samples that were not written, not for those that are no numbers.
    List<Double> samples =
        items.isEmpty() && object.has("avg_ts")
            ? List.of(object.real("avg_ts"))
            : ForeignRun.numbers(object, "samples_ts", items);
    for (double sample : samples) {
      if (!(sample > 0)) throw object.fail("samples_ts", sample + " is no speed");
    }
    return samples;
  }
}
