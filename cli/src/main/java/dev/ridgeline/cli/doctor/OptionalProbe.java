package dev.ridgeline.cli.doctor;

import dev.ridgeline.cli.async.AsyncLibrary;
import dev.ridgeline.cli.async.HardwareCounters;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * Things that ridgeline uses where they are there and does without elsewhere.
 *
 * @param counters what the kernel answers when it is asked for one: 0, or its error number
 */
record OptionalProbe(KernelFiles files, String path, IntSupplier counters) implements Probe {
  private static final Check.Item COUNTERS = Check.of("optional.perfEvents", "CPU counters");
  private static final Check.Item ASYNC_PROFILER =
      Check.of("optional.asyncProfiler", "async-profiler");

  private static final String PARANOID = "/proc/sys/kernel/perf_event_paranoid";

  /** Beyond this level a process may not even count what it does itself. */
  private static final int MOST_PARANOID = 2;

  private static final int EPERM = 1;
  private static final int EACCES = 13;

  OptionalProbe {
    path = path == null ? "" : path;
  }

  @Override
  public List<Check> examine() {
    var checks = new ArrayList<Check>();
    checks.add(perfEvents());
    checks.add(asyncProfiler());
    checks.add(program("git", "records which source a run measured", "git", "git"));
    checks.add(program("mvn", "builds ridgeline", "maven", "mvn"));
    checks.add(
        program(
            "chromium",
            "tests the HTML report",
            "chromium",
            "chromium",
            "chromium-browser",
            "google-chrome"));
    checks.add(program("go", "go tool pprof reads pprof files", "golang-go", "go"));
    checks.add(program("npm", "brings other engines to compare with", "npm", "npm"));
    checks.add(program("graphviz", "draws pprof call graphs", "graphviz", "dot"));
    return checks;
  }

  /** What the kernel answers when it is asked for a counter. */
  private Check perfEvents() {
    Optional<Long> level = files.number(PARANOID);
    int refusal = counters.getAsInt();
    return switch (refusal) {
      case 0 -> COUNTERS.ok(level.orElse(null), "ridgeline profile --sampler async --event cycles");
      case EPERM, EACCES -> refused(refusal == EPERM ? "EPERM" : "EACCES", level);
      case HardwareCounters.NO_SUCH_CALL ->
          COUNTERS.note(null, "none: this system has no perf_event_open");
      default ->
          COUNTERS.note(
              level.orElse(null),
              "none: perf_event_open has no hardware counters here (error %d), as in most VMs"
                  .formatted(refusal),
              "let the hypervisor pass the processor's counters on (KVM: -cpu host,pmu=on), or use"
                  + " a machine without one");
    };
  }

  private static Check refused(String error, Optional<Long> level) {
    boolean strict = level.isPresent() && level.get() > MOST_PARANOID;
    String why = level.map(n -> ", perf_event_paranoid is " + n).orElse("");
    return COUNTERS.note(
        level.orElse(null),
        "perf_event_open refuses them (" + error + why + ")",
        strict
            ? "sudo sysctl kernel.perf_event_paranoid=" + MOST_PARANOID
            : "allow the call where this process is confined: docker run --cap-add=PERFMON");
  }

  private static Check asyncProfiler() {
    boolean here = AsyncLibrary.isThere();
    return here
        ? ASYNC_PROFILER.ok(true, "comes along: profile --sampler async")
        : ASYNC_PROFILER.note(false, "has no library for this platform; samples are JFR's");
  }

  private Check program(String key, String purpose, String apt, String... names) {
    Optional<Path> found = find(names);
    if (found.isPresent()) {
      String where = found.get().toString();
      return Check.of("optional." + key, key).ok(where, where);
    }
    String fix = System.getProperty("os.name").startsWith("Mac") ? "brew install " : "apt install ";
    return Check.of("optional." + key, key).note(null, "absent; " + purpose, fix + apt);
  }

  private Optional<Path> find(String... names) {
    return Arrays.stream(path.split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .flatMap(folder -> Arrays.stream(names).map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
