package dev.ridgeline.lab.imports;

import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Machine.Jvm;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Results of the Java Microbenchmark Harness: an object for each benchmark and its parameters. */
final class Jmh implements Measurements.Tool {
  private static final String PRIMARY = "primaryMetric";
  private static final String RAW = "rawData";
  private static final String HISTOGRAM = "rawDataHistogram";

  /** How long and how often was measured: no part of the work. */
  private static final List<String> MEASURING =
      List.of(
          "jmhVersion",
          "forks",
          "warmupIterations",
          "warmupTime",
          "warmupBatchSize",
          "measurementIterations",
          "measurementTime",
          "measurementBatchSize");

  private static final Map<String, String> METRICS =
      Map.of(
          "thrpt", "throughput",
          "avgt", "time of an operation",
          "sample", "time of an operation, sampled",
          "ss", "time of a single shot");

  @Override
  public String name() {
    return "jmh";
  }

  @Override
  public boolean wrote(JsonObject object) {
    return object.has("benchmark") && object.has("mode") && object.has(PRIMARY);
  }

  @Override
  public List<Run> runs(JsonObject object, Instant moment) {
    String benchmark = object.text("benchmark");
    String mode = object.text("mode");
    ForeignRun run = new ForeignRun().startedUnknown(moment);
    run.jvm = jvm(object);
    run.work("benchmark", benchmark)
        .work("mode", mode)
        .work("threads", object.wordOrNull("threads"));
    List<String> title = new ArrayList<>(List.of(shortened(benchmark)));
    if (object.has("params")) {
      JsonObject params = object.object("params");
      for (String name : params.names()) {
        run.work("parameter " + name, params.wordOrNull(name));
        title.add(name + " " + params.wordOrNull(name));
      }
    }
    run.title = String.join(" · ", title);
    for (String name : MEASURING) run.plan(name, object.wordOrNull(name));
    JsonObject primary = object.object(PRIMARY);
    Better better = mode.equals("thrpt") ? Better.HIGHER : Better.LOWER;
    String metric = METRICS.getOrDefault(mode, "score");
    String unit = unit(primary);
    run.metric(metric, unit, better, samples(primary));
    if (object.has("secondaryMetrics")) secondary(run, object, unit, better);
    return List.of(run.done(name(), object, PRIMARY));
  }

  /** Without its package: {@code ScopeCost.empty}. */
  private static String shortened(String benchmark) {
    int method = benchmark.lastIndexOf('.');
    return benchmark.substring(method < 0 ? 0 : benchmark.lastIndexOf('.', method - 1) + 1);
  }

  private static Jvm jvm(JsonObject object) {
    String name = object.wordOrNull("vmName");
    String version = object.wordOrNull("jdkVersion");
    List<String> flags = object.has("jvmArgs") ? object.texts("jvmArgs") : List.of();
    return new Jvm(
        name == null ? "" : name, version == null ? "" : version, "", "", Machine.UNKNOWN, flags);
  }

  private static String unit(JsonObject metric) {
    return metric.has("scoreUnit") ? metric.text("scoreUnit") : "";
  }

  /** Every iteration of every fork, in order; the score alone where the file holds no more. */
  private static List<Double> samples(JsonObject metric) {
    List<Double> samples = new ArrayList<>();
    if (metric.has(RAW)) {
      for (Object fork : metric.items(RAW)) {
        samples.addAll(ForeignRun.numbers(metric, RAW, list(metric, RAW, fork)));
      }
    } else if (metric.has(HISTOGRAM)) {
      for (Object fork : metric.items(HISTOGRAM)) {
        for (Object iteration : list(metric, HISTOGRAM, fork)) {
          double mean = mean(metric, list(metric, HISTOGRAM, iteration));
          if (Double.isFinite(mean)) samples.add(mean);
        }
      }
    }
    if (samples.isEmpty()
        && metric.wordOrNull("score") instanceof String score
        && isNumber(score)) {
      samples.add(metric.real("score"));
    }
    return samples;
  }

  /** JMH writes what is no number as a text. */
  private static boolean isNumber(String score) {
    return !score.equals("NaN") && !score.endsWith("INF");
  }

  /** The mean of one iteration's values, each with how often it came. */
  private static double mean(JsonObject metric, List<?> histogram) {
    double sum = 0;
    double count = 0;
    for (Object entry : histogram) {
      List<Double> pair = ForeignRun.numbers(metric, HISTOGRAM, list(metric, HISTOGRAM, entry));
      if (pair.size() != 2) throw metric.fail(HISTOGRAM, "must be pairs of value and count");
      sum += pair.get(0) * pair.get(1);
      count += pair.get(1);
    }
    return sum / count;
  }

  private static List<?> list(JsonObject metric, String name, Object item) {
    if (item instanceof List<?> list) return list;
    throw metric.fail(name, "must be lists of lists");
  }

  /** What profilers and counters added; only what is known to be bad when large is called so. */
  private static void secondary(ForeignRun run, JsonObject object, String unit, Better better) {
    JsonObject all = object.object("secondaryMetrics");
    for (String each : all.names()) {
      JsonObject metric = all.object(each);
      String name = each.replaceFirst("^·", "");
      String own = unit(metric);
      Better direction = own.equals(unit) ? better : Better.NEITHER;
      if (name.equals("gc.alloc.rate.norm")) direction = Better.LOWER;
      run.metric(name, own, direction, samples(metric));
    }
  }
}
