package dev.ridgeline.cli.doctor;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Things that ridgeline uses where they are there and does without elsewhere. */
final class OptionalProbe implements Probe {
  private static final String PARANOID = "/proc/sys/kernel/perf_event_paranoid";

  private final KernelFiles files;
  private final String path;

  OptionalProbe(KernelFiles files, String path) {
    this.files = files;
    this.path = path == null ? "" : path;
  }

  @Override
  public String topic() {
    return "optional";
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

  /** Only what the kernel says: nothing is opened, so a counter may still be refused. */
  private Check perfEvents() {
    String key = "optional.perfEvents";
    String label = "perf events";
    Optional<Long> level = files.number(PARANOID);
    if (level.isEmpty()) return Check.note(key, label, null, "not on this system");
    String text = "perf_event_paranoid is " + level.get();
    boolean hardware =
        files.names("/sys/bus/event_source/devices").stream()
            .anyMatch(n -> n.equals("cpu") || n.startsWith("cpu_") || n.startsWith("armv8"));
    if (!hardware) {
      return Check.note(key, label, level.get(), text + ", no hardware counters (usual in a VM)");
    }
    if (level.get() <= 2) {
      return Check.ok(
          key, label, level.get(), text + ", hardware counters should open for own processes");
    }
    return Check.note(
        key,
        label,
        level.get(),
        text + ", too strict for hardware counters",
        "sudo sysctl kernel.perf_event_paranoid=2");
  }

  private Check asyncProfiler() {
    String key = "optional.asyncProfiler";
    Optional<Path> found = find("asprof");
    if (found.isEmpty()) {
      return Check.note(
          key,
          "async-profiler",
          null,
          "absent; samples stacks with native frames",
          "put bin/asprof of github.com/async-profiler/async-profiler on the PATH");
    }
    return Check.ok(key, "async-profiler", found.get().toString(), found.get().toString());
  }

  private Check program(String key, String purpose, String apt, String... names) {
    Optional<Path> found = find(names);
    if (found.isPresent()) {
      String where = found.get().toString();
      return Check.ok("optional." + key, key, where, where);
    }
    String fix = System.getProperty("os.name").startsWith("Mac") ? "brew install " : "apt install ";
    return Check.note("optional." + key, key, null, "absent; " + purpose, fix + apt);
  }

  private Optional<Path> find(String... names) {
    return Arrays.stream(path.split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .flatMap(folder -> Arrays.stream(names).map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
