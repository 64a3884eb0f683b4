package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.cli.async.AsyncLibrary;
import dev.ridgeline.cli.async.HardwareCounters;
import dev.ridgeline.lab.roofline.CeilingsStore;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** Any Java program under the profiler, as a user types it. */
@Execution(CONCURRENT)
class ForeignProgramIT {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  private static final String PROGRAM =
      """
      package app;

      public class Main {
        public static void main(String[] args) throws Exception {
          System.err.println("errors are mine");
          String line = new java.io.BufferedReader(new java.io.InputStreamReader(System.in)).readLine();
          System.out.println("output is mine: " + line);
          for (int i = 0; i < 3; i++) step(i);
          if ("pack".equals(line)) pack();
          if ("spin".equals(line)) spin();
          if ("halt".equals(line)) Runtime.getRuntime().halt(3);
          if (args.length > 0 && args[0].equals("quick")) return;
          if (args.length > 0) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
              System.out.println("my hook ran");
              if (args[0].equals("hang")) java.util.concurrent.locks.LockSupport.park();
            }));
          }
          if (args.length > 0) while (true) { step(1); Thread.sleep(1); if (args[0].equals("pack")) pack(); }
          System.exit(42);
        }

        static long spin() {
          var threads = java.lang.management.ManagementFactory.getThreadMXBean();
          long end = threads.getCurrentThreadCpuTime() + 500_000_000;
          long sum = 0;
          while (threads.getCurrentThreadCpuTime() < end) for (int i = 0; i < 100_000; i++) sum += i % 7;
          return sum;
        }

        static void pack() {
          var deflater = new java.util.zip.Deflater();
          byte[] out = new byte[1 << 20];
          var threads = java.lang.management.ManagementFactory.getThreadMXBean();
          long end = threads.getCurrentThreadCpuTime() + 500_000_000;
          while (threads.getCurrentThreadCpuTime() < end) {
            deflater.reset();
            deflater.setInput(new byte[1 << 20]);
            deflater.finish();
            deflater.deflate(out);
          }
        }

        static int step(int n) {
          int sum = 0;
          for (int i = 0; i < 100; i++) sum += i * n;
          return sum;
        }
      }
      """;

  @TempDir static Path classes;
  @TempDir Path folder;

  @BeforeAll
  static void compile() throws IOException {
    assumeTrue(ToolProvider.getSystemJavaCompiler() != null, "needs a JDK with a compiler");
    Path source = classes.resolve("Main.java");
    Files.writeString(source, PROGRAM);
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), source.toString());
    assertThat(code).isZero();
  }

  @Test
  void aCommandKeepsItsStreamsAndItsExitCode() {
    var outcome = shell("echo hello | " + profile("--scope app.**") + " -- " + program());
    assertThat(outcome.out()).isEqualTo("output is mine: hello\n");
    assertThat(outcome.err()).startsWith("errors are mine\n").contains("Main.main", "report.html");
    assertThat(outcome.code()).isEqualTo(42);
    assertThat(tree().find("Main.main", "Main.step").calls()).isEqualTo(3);
  }

  @Test
  void withoutAnyScopeSamplesAreTheProfileAndTheyNameScopes() {
    var outcome = shell("echo spin | " + profile("--top 40") + " -- " + program());
    assertThat(outcome.code()).as(outcome.err()).isEqualTo(42);
    assertThat(outcome.err())
        .contains("method, by CPU samples", "Main.spin", "package, ", "thread", "main")
        .doesNotContain("Nothing was recorded");
    Samples samples = run().profile().samples();
    assertThat(samples.threads()).extracting(Samples.OfThread::thread).contains("main");
    assertThat(samples.threads().stream().mapToLong(Samples.OfThread::samples).sum())
        .isEqualTo(samples.cpu().stream().mapToLong(Samples.Cpu::samples).sum());
    String again =
        outcome
            .err()
            .lines()
            .filter(line -> line.contains("./ridgeline"))
            .findFirst()
            .orElseThrow();
    assertThat(again).contains("profile", "--scope 'app.**' -- " + JAVA);
    String command = again.substring(again.indexOf("./ridgeline"));
    var scoped =
        shell("echo hi | " + command.replace("./ridgeline", FakeMachine.launcher().toString()));
    assertThat(scoped.code()).isEqualTo(42);
    assertThat(tree().find("Main.main", "Main.step").calls()).isEqualTo(3);
  }

  @Test
  void nothingRecordedIsNoSuccess() {
    var outcome = shell(profile("--sample none") + " -- " + program() + " quick");
    assertThat(outcome.err()).contains("nothing was recorded", "try --scope 'app.**'");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(shell(profile("") + " -- true").code()).isEqualTo(2);
    assertThat(shell(profile("") + " -- false").code()).isEqualTo(1);
  }

  /** A file may grow to 32 kB only, as on a disk that fills up while the program runs. */
  @Test
  void aRunThatCannotBeKeptIsOneLineAndNothingUntrue() {
    var outcome =
        shell("ulimit -f 32; echo hi | " + profile("--scope app.**") + " -- " + program());
    assertThat(outcome.out()).isEqualTo("output is mine: hi\n");
    assertThat(outcome.err().replace("errors are mine\n", ""))
        .startsWith("ridgeline: the run could not be kept: ")
        .endsWith("; the program itself ended with exit code 42\n")
        .hasLineCount(1);
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(folder.resolve("runs")).isEmptyDirectory();
  }

  @Test
  void aScriptMayStartTheProgram() {
    var outcome =
        shell(
            "echo hello | "
                + profile("--scope Main.step --quiet --name script")
                + " -- sh -c '"
                + program()
                + "; exit 7'");
    assertThat(outcome.code()).isEqualTo(7);
    assertThat(outcome.out()).isEqualTo("output is mine: hello\n");
    assertThat(outcome.err()).endsWith(run().path() + "\n");
    assertThat(run().name()).endsWith("-script");
  }

  @Test
  void anOldJavaIsOneLineWithACommandThatRuns() throws IOException {
    Path old = oldJava();
    Path jar = folder.resolve("my app.jar");
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "app.Main");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classes.toUri().toString());
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    Path source = folder.resolve("Foo.java");
    Files.writeString(
        source, PROGRAM.replace("package app;", "").replace("class Main", "class Foo"));
    Map<String, String> programs =
        Map.of(
            "-cp " + classes + " app.Main",
            "Main",
            "-jar '" + jar + "'",
            "my app",
            source.toString(),
            "Foo",
            "-Dx=y -ea --class-path " + classes + " app.Main",
            "Main");
    programs.forEach(
        (program, title) -> {
          String options = "--scope '*.step' --name it";
          var outcome = shell(profile(options) + " -- " + old + " " + program);
          refused(outcome, old + " is Java 17.0.1, and the agent needs 25 or newer: ./ridgeline ");
          String command = outcome.err().substring(outcome.err().indexOf("./ridgeline"));
          String again = command.replace("./ridgeline", FakeMachine.launcher().toString());
          var ran = shell(again);
          assertThat(ran.code()).as(ran.err()).isEqualTo(42);
          assertThat(run().run().title()).isEqualTo(title);
        });
  }

  @Test
  void anOldJavaWithALongCommandIsTold() throws IOException {
    Path old = oldJava();
    var outcome = shell(profile("") + " -- " + old + " -cp " + "x.jar:".repeat(200) + " app.Main");
    refused(outcome, "the agent needs 25 or newer: type " + JAVA + " in place of " + old);
  }

  private Path oldJava() throws IOException {
    Path old = folder.resolve("old-jdk");
    Files.createDirectories(old.resolve("bin"));
    Files.writeString(old.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    Path java = old.resolve("bin/java");
    Files.writeString(java, "#!/bin/sh\necho started\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    return java;
  }

  @Test
  void aBadQuestionIsOneLineAndNothingIsStarted() {
    refused(shell(profile("--scope 'Foo.bar('") + " -- " + program()), "a closing ) is missing");
    refused(
        shell(profile("--exclude 'Foo.a(int,int),Bar'") + " -- " + program()), "repeat --exclude");
    refused(shell(profile("--filter x") + " -- " + program()), "--filter: no effect");
    refused(shell(profile("--json") + " -- " + program()), "--json: standard output is");
    refused(shell(profile("") + " --"), "a command must follow --");
    refused(shell(profile("") + " -- ./no-such-program"), "no-such-program");
    refused(shell(profile("--pid 999999999")), "no such process: 999999999");
    refused(shell(profile("--pid 1 --duration soon")), "--duration=soon: a time such as");
  }

  @Test
  void aMissingAgentIsOneLine() throws IOException {
    Path copy = folder.resolve("copy");
    Files.createDirectories(copy.resolve("lib"));
    Path target = Path.of("target").toAbsolutePath();
    Files.copy(target.resolve("ridgeline.jar"), copy.resolve("ridgeline.jar"));
    try (var jars = Files.list(target.resolve("lib"))) {
      for (Path jar : jars.toList()) {
        String name = jar.getFileName().toString();
        if (!name.contains("agent")) Files.copy(jar, copy.resolve("lib").resolve(name));
      }
    }
    var outcome =
        shell(JAVA + " -jar " + copy.resolve("ridgeline.jar") + " profile -- " + program());
    refused(outcome, "the agent's jar is missing");
  }

  @Test
  void aRunningProgramIsRecordedForAWhile() throws Exception {
    Process process = start();
    try {
      var outcome = shell(profile("--scope app.Main --duration 300ms --pid " + process.pid()));
      assertThat(outcome.code()).as(outcome.err()).isZero();
      assertThat(outcome.out()).contains("Main.step", "report.html");
      assertThat(process.isAlive()).isTrue();
      assertThat(tree().find("Main.step").calls()).isPositive();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void asyncProfilerSeesNativeCodeOfAProgramThatIsStarted() {
    assumeTrue(AsyncLibrary.isThere(), "async-profiler has no library for this platform");
    String ask = profile("--scope Main.pack --sampler async --full --formats pprof-samples,jfr");
    for (String command : List.of(program(), "sh -c '" + program() + "'")) {
      var outcome = shell("echo pack | " + ask + " -- " + command);
      assertThat(outcome.code()).as(outcome.err()).isEqualTo(42);
      assertThat(outcome.out()).isEqualTo("output is mine: pack\n");
      assertThat(outcome.err()).contains("Sampled by async-profiler").doesNotContain("WARNING");
      assertThat(libraries(run())).contains("libzip.so");
      assertThat(run().run().plan().get("sampler")).startsWith("async-profiler ");
    }
  }

  @Test
  void asyncProfilerSeesNativeCodeOfARunningProgram() throws Exception {
    assumeTrue(AsyncLibrary.isThere(), "async-profiler has no library for this platform");
    Process process = start("pack");
    try {
      String ask = "--scope Main.pack --sampler async --duration 3s --pid " + process.pid();
      for (int time = 0; time < 2; time++) {
        var outcome = shell(profile(ask));
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(libraries(run())).contains("libzip.so");
        assertThat(process.isAlive()).isTrue();
      }
    } finally {
      process.destroyForcibly();
    }
  }

  /** Libraries that code inside of scopes was in. */
  private static List<String> libraries(RunDirectory run) {
    Samples samples = run.profile().samples();
    return samples.cpu().stream()
        .filter(row -> row.lane() >= 0 && row.stack() != Samples.NO_STACK)
        .map(row -> samples.stack(row.stack()).getFirst())
        .filter(leaf -> leaf.kind() == Samples.Kind.LIBRARY)
        .map(Samples.Location::type)
        .distinct()
        .toList();
  }

  @Test
  void aPatternThatMeetsNothingInARunningProgramIsRefused() throws Exception {
    Process process = start();
    try {
      var outcome = shell(profile("--scope Maim.step --pid " + process.pid()));
      refused(outcome, "scope 'Maim.step' matched nothing", "did you mean Main?");
      assertThat(process.isAlive()).isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aProgramThatIsKilledMeanwhileIsSaid() throws Exception {
    Process process = start();
    List<Outcome> outcomes = new ArrayList<>();
    Thread recording =
        Thread.ofPlatform()
            .start(
                () ->
                    outcomes.add(
                        shell(profile("--scope Main.step --duration 60s --pid " + process.pid()))));
    Path runs = folder.resolve("runs");
    for (int i = 0; i < 3_000 && !Files.exists(runs); i++) Thread.sleep(10);
    Thread.sleep(200);
    process.destroyForcibly();
    recording.join();
    refused(outcomes.getFirst(), "process " + process.pid());
  }

  @Test
  void aProgramThatHaltsBeforeTheFirstCopyIsSaidAndLeavesNothing() throws IOException {
    var outcome = shell("echo halt | " + profile("--scope app.**") + " -- " + program());
    assertThat(outcome.code()).isEqualTo(3);
    assertThat(outcome.err())
        .contains("halted without its shutdown hooks (exit code 3)", "nothing is kept")
        .doesNotContain("killed", "is kept:");
    assertThat(folder.resolve("runs")).isEmptyDirectory();
  }

  @Test
  void theLastCopyOfAKilledProgramIsDrawnAsAsked() throws Exception {
    Process process = start();
    List<Outcome> outcomes = new ArrayList<>();
    String ask = "--scope Main.step --formats html,collapsed --duration 60s --pid " + process.pid();
    Thread recording = Thread.ofPlatform().start(() -> outcomes.add(shell(profile(ask))));
    Path runs = folder.resolve("runs");
    for (int i = 0; i < 6_000 && !copied(runs); i++) Thread.sleep(10);
    process.destroyForcibly();
    recording.join();
    assertThat(outcomes.getFirst().err()).contains("what was copied before is kept");
    assertThat(outcomes.getFirst().out()).contains("Main.step", "report.html");
    assertThat(run().path().toFile().list())
        .contains("run.json", "profile.json", "report.html", "stacks.collapsed");
  }

  @Test
  void whoEndsUsEndsTheProgramAndIsToldOfIt() {
    // The launcher becomes our own process, so the shell's last one is it.
    var outcome =
        shell(
            profile("--scope app.**")
                + " -- "
                + program()
                + " on < /dev/null > said & own=$!; for i in $(seq 600); do [ -s said ] && break;"
                + " sleep 0.1; done; sleep 0.3; kill -TERM $own; wait $own");
    assertThat(outcome.err()).contains("Main.step").doesNotContain("defect");
    assertThat(outcome.code()).isEqualTo(143);
    assertThat(run().profile().tree().nodes()).isNotEmpty();
  }

  @Test
  void ctrlCEndsTheProgramAsJavaAloneWouldAndTheRunIsKept() {
    for (String program : List.of(program() + " on", "sh -c '" + program() + " on; true'")) {
      var outcome = interrupted(program, "kill -INT -- -$own");
      assertThat(outcome.code()).as(outcome.err()).isEqualTo(130);
      assertThat(outcome.out()).endsWith("my hook ran\n");
      assertThat(outcome.err()).contains("Main.step", "report.html").doesNotContain("killed");
      assertThat(run().profile().tree().find("Main.main", "Main.step").calls()).isPositive();
    }
    assertThat(interrupted(program() + " on", "kill -TERM -- -$own").code()).isEqualTo(143);
  }

  @Test
  void aSecondCtrlCEndsAProgramThatHangsWhileItEnds() {
    String kept = "for i in $(seq 600); do [ -n \"$(ls runs)\" ] && break; sleep 0.1; done; ";
    String kill = "kill -INT -- -$own; ";
    var outcome = interrupted(program() + " hang", kill + kept + kill + "true");
    assertThat(outcome.code()).as(outcome.err()).isEqualTo(130);
    assertThat(outcome.out()).endsWith("my hook ran\n");
    assertThat(outcome.err()).contains("Main.step");
  }

  /**
   * Runs a program in the foreground of a terminal, as far as signals go, and sends some once it
   * has begun.
   *
   * @param signals to the process group {@code $own}
   */
  private Outcome interrupted(String program, String signals) {
    return shell(
        // What an earlier program said must not pass for this one's first word.
        "rm -f said; set -m; "
            + profile("--scope app.**")
            + (" -- %s < /dev/null > said & own=$!; for i in $(seq 600); do [ -s said ] && break;"
                    + " sleep 0.1; done; sleep 0.5; { %s; } 2> /dev/null; for i in $(seq 300); do"
                    + " kill -0 $own || break; sleep 0.1; done 2> /dev/null; kill -KILL -- -$own 2>"
                    + " /dev/null; wait $own; code=$?; cat said; exit $code")
                .formatted(program, signals));
  }

  private static boolean copied(Path runs) throws IOException {
    if (!Files.exists(runs)) return false;
    try (var drafts = Files.newDirectoryStream(runs, ".tmp-*")) {
      for (Path draft : drafts) if (Files.exists(draft.resolve("run.json"))) return true;
    }
    return false;
  }

  @Test
  void anEventThatIsNotThereIsRefusedWithoutAWordInTheRunningProgram() throws Exception {
    assumeTrue(AsyncLibrary.isThere(), "async-profiler has no library for this platform");
    assumeTrue(HardwareCounters.refusal() != 0, "this machine has hardware counters");
    Process process = start();
    try {
      String ask = "--sampler async --event cycles --scope Main.step --pid " + process.pid();
      var outcome = shell(profile(ask));
      assertThat(outcome.code()).isEqualTo(2);
      assertThat(outcome.err()).hasLineCount(1).contains("cycles");
      assertThat(Files.readString(folder.resolve("err.txt")))
          .doesNotContain("Exception", "ASSERTION", "Agent failed");
      assertThat(process.isAlive()).isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  private static void refused(Outcome outcome, String... why) {
    assertThat(outcome.err()).contains(why).hasLineCount(1).startsWith("ridgeline: ");
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.code()).isEqualTo(2);
  }

  private Process start() throws Exception {
    return start("on");
  }

  private Process start(String how) throws Exception {
    Process process =
        new ProcessBuilder(JAVA.toString(), "-cp", classes.toString(), "app.Main", how)
            .directory(folder.toFile())
            .redirectError(folder.resolve("err.txt").toFile())
            .start();
    process.getOutputStream().close();
    // It works once it has said something.
    assertThat(process.getInputStream().read()).isPositive();
    return process;
  }

  /** What was measured before; nothing is, while a program waits. */
  @Test
  void whatThisMachineCanDoIsKeptWithTheRun() {
    Path cache = folder.resolve("cache");
    var rate = new Ceilings.Rate(2e11, 1e11, 3e11);
    var f32 = new Ceilings.Compute(Arithmetic.F32, rate, rate, 0);
    var kept = new Ceilings(Instant.parse("2026-11-16T09:00:00Z"), 2, List.of(f32), List.of());
    CeilingsStore.in(cache).write(kept);
    String with = "export RIDGELINE_CACHE=" + cache + "; echo hello | ";
    shell(with + profile("--scope app.** --quiet --ceilings kept") + " -- " + program());
    assertThat(run().run().ceilings()).isEqualTo(kept);
    shell(with + profile("--scope app.** --quiet --ceilings none") + " -- " + program());
    assertThat(run().run().ceilings()).isEqualTo(Ceilings.NONE);
  }

  private RunDirectory run() {
    return new Runs(folder.resolve("runs")).find("last");
  }

  private CallTree tree() {
    return run().profile().tree();
  }

  private String program() {
    return JAVA + " -cp " + classes + " app.Main";
  }

  private String profile(String options) {
    return FakeMachine.launcher() + " profile --runs " + folder.resolve("runs") + " " + options;
  }

  private Outcome shell(String script) {
    Map<String, String> environment =
        Map.of("RIDGELINE_NO_BUILD", "1", "RIDGELINE_JAVA", System.getProperty("java.home"));
    return Outcome.ofShell(folder, environment, script);
  }
}
