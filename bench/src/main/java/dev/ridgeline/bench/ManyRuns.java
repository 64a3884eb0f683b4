package dev.ridgeline.bench;

import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Profile.Node;
import dev.ridgeline.profiler.Profile.Time;
import dev.ridgeline.report.file.ProfileJson;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes many run directories of one: other moments, revisions, samples and times. */
public final class ManyRuns {
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  /** Profiles differ in their times alone: so many of them are enough. */
  private static final int PROFILES = 50;

  private final Random random = new Random(1);
  private final RunDirectory source;

  private ManyRuns(RunDirectory source) {
    this.source = source;
  }

  public static void main(String[] args) throws IOException {
    new ManyRuns(new RunDirectory(Path.of(args[1])))
        .make(Path.of(args[0]), Integer.parseInt(args[2]));
  }

  private void make(Path folder, int count) throws IOException {
    Run run = source.run();
    List<byte[]> profiles = new ArrayList<>();
    for (int i = 0; i < PROFILES; i++) {
      ByteArrayOutputStream profile = new ByteArrayOutputStream();
      ProfileJson.write(scaled(source.profile(), around(1)), profile);
      profiles.add(profile.toByteArray());
    }
    Instant begin = Instant.parse("2026-01-01T00:00:00Z");
    for (int i = 0; i < count; i++) {
      Run varied = varied(run, begin.plus(Duration.ofMinutes(10L * i)), "%07x".formatted(i / 20));
      Path directory =
          Files.createDirectories(
              folder.resolve(MOMENT.format(varied.started()) + "-" + varied.name()));
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      RunJson.write(varied, bytes);
      Files.write(directory.resolve("run.json"), bytes.toByteArray());
      Files.write(directory.resolve("profile.json"), profiles.get(i % PROFILES));
    }
  }

  private double around(double value) {
    return value * (1 + 0.05 * random.nextGaussian());
  }

  private Run varied(Run run, Instant started, String revision) {
    List<Metric> metrics = new ArrayList<>();
    for (Metric metric : run.metrics()) {
      List<Double> samples = metric.samples().stream().map(this::around).toList();
      metrics.add(new Metric(metric.name(), metric.unit(), metric.better(), samples));
    }
    return new Run(
        run.name(),
        run.title(),
        started,
        run.command(),
        run.options(),
        run.machine(),
        revision,
        run.workload(),
        run.plan(),
        run.conditions(),
        run.outputDigest(),
        metrics,
        run.series(),
        run.units(),
        run.ceilings());
  }

  private static Profile scaled(Profile profile, double factor) {
    List<Lane> lanes = new ArrayList<>();
    for (Lane lane : profile.lanes()) {
      List<Node> nodes = lane.nodes().stream().map(node -> scaled(node, factor)).toList();
      lanes.add(new Lane(lane.thread(), lane.virtual(), lane.threads(), nodes, lane.trace()));
    }
    return new Profile(
        profile.level(),
        profile.started(),
        profile.wallNanos(),
        lanes,
        profile.devices(),
        profile.paths(),
        profile.calibration(),
        profile.system(),
        profile.ledger(),
        profile.slips(),
        profile.samples(),
        profile.pools(),
        Profile.Waits.NONE);
  }

  private static Node scaled(Node node, double factor) {
    Time time = node.time();
    return new Node(
        node.parent(),
        node.name(),
        node.origin(),
        new Time(
            time.calls(),
            time.open(),
            (long) (time.totalNanos() * factor),
            (long) (time.selfNanos() * factor),
            time.minNanos(),
            time.maxNanos(),
            time.histogram()),
        node.allocation(),
        node.work(),
        node.fanOut());
  }
}
