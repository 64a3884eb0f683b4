package dev.ridgeline.cli.guide;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.DeviceQueue;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Region;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.profiler.Submission;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.Console;
import dev.ridgeline.report.Findings;
import dev.ridgeline.report.Html;
import dev.ridgeline.report.Report;
import dev.ridgeline.report.Report.Headline;
import dev.ridgeline.report.file.ProfileJson;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The engine of {@code docs/profile-your-own-engine.md}; every part between marks stands there. */
final class Engine {
  private final float[] x = new float[4096];
  private final int layers;

  Engine(int layers) {
    this.layers = layers;
  }

  // begin scopes
  static final Scope FORWARD = Scope.of("forward");
  static final Scope NORM = Scope.of("norm");
  static final Scope.Numbered LAYER = Scope.numbered("layer");

  void forward() {
    try (var _ = Profiler.scope(FORWARD)) {
      for (int l = 0; l < layers; l++) {
        try (var _ = Profiler.scope(LAYER.at(l))) {
          norm();
        }
      }
    }
  }

  // end

  // begin work
  void norm() {
    try (var scope = Profiler.scope(NORM)) {
      float sum = 0;
      for (float v : x) sum += v * v;
      float scale = (float) (1 / Math.sqrt(sum / x.length + 1e-5));
      for (int j = 0; j < x.length; j++) x[j] *= scale;
      scope.work(8L * x.length, 3L * x.length); // bytes moved, FLOPs done
    }
  }

  // end

  // begin tasks
  static final Scope BATCH = Scope.of("batch");

  static void batch(List<Engine> texts, ExecutorService pool) throws InterruptedException {
    ExecutorService recorded = Profiler.executor(pool);
    try (var _ = Profiler.scope(BATCH)) {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (Engine text : texts) {
        tasks.add(
            () -> {
              text.forward();
              return null;
            });
      }
      recorded.invokeAll(tasks);
    }
  }

  // end

  static Profile session() throws InterruptedException {
    // begin session
    Profiler.start(Options.of(Level.ALLOCATION));
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      for (int i = 0; i < 100; i++) Engine.batch(List.of(new Engine(4), new Engine(4)), pool);
    }
    Profile profile = Profiler.stop();
    // end
    return profile;
  }

  static String results(Profile profile) {
    StringBuilder out = new StringBuilder();
    // begin results
    CallTree tree = profile.tree();
    for (CallTree.Node node : tree.top(5, CallTree.Node::selfNanos)) {
      out.append(
          "%-40s %5d calls %8.3f ms self %6.2f GFLOP/s%n"
              .formatted(
                  String.join(" › ", node.path()),
                  node.calls(),
                  node.selfNanos() / 1e6,
                  node.gigaflopsPerSecond()));
    }
    Region region = tree.find("batch").region();
    out.append(
        "%d tasks on %d threads, busiest over mean %.2f%n"
            .formatted(region.tasks(), region.threads(), region.imbalance()));
    // end
    return out.toString();
  }

  static String write(Profile profile, Path folder) throws IOException {
    // begin reports
    CallTree tree = profile.tree();
    Headline headline = new Headline("my engine, 100 batches of 2", "", List.of());
    Report report =
        new Report(headline, List.of(), List.of(), profile, tree, Findings.of(profile, tree));
    String screen = Console.draw(report, Console.Style.plain(100), 15, List.of());
    WholeFile.write(folder.resolve("profile.json"), out -> ProfileJson.write(profile, out));
    try (Writer page = Files.newBufferedWriter(folder.resolve("report.html"))) {
      Html.write(report, page);
    }
    Profile again = ProfileJson.read(folder.resolve("profile.json")); // equals profile
    // end
    if (!again.equals(profile)) throw new AssertionError("what was read is not what was written");
    return screen;
  }

  static int handOver(ExecutorService pool) throws Exception {
    // begin task
    Future<Integer> length = pool.submit(Profiler.task(() -> "one task of its own".length()));
    // end
    return length.get();
  }

  static Profile device() {
    Profiler.start(Options.of(Level.TIME));
    long began = System.nanoTime();
    // begin device
    DeviceQueue gpu = new DeviceQueue("gpu:0");
    Submission operation = new Submission(); // used again and again
    try (var scope = Profiler.scope(NORM)) {
      scope.work(32_768, 12_288);
      Profiler.submit(operation); // from here on the device's, with its work
    }
    // when the device says that it is done, with times on the clock of System.nanoTime
    gpu.done(operation, began, began + 5_000);
    // end
    return Profiler.stop();
  }

  static void ledger() {
    // begin ledger
    try (var _ = Profiler.owned("kv cache", 64L << 20)) {
      // held outside the heap until here
    }
    // end
  }
}
