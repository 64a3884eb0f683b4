package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.cli.line.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The launcher, the jar and a real JVM together, as a user meets them. */
@Execution(CONCURRENT)
class LauncherIT {
  @TempDir Path folder;

  @Test
  void theVersionGoesToStandardOutputAndNothingToStandardError() {
    var outcome = ridgeline("--version");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).matches("ridgeline \\d+\\.\\d+\\.\\d+\\S*\n");
    assertThat(outcome.code()).isZero();
  }

  /** Without that, the launcher would build again what Maven has just packed. */
  @Test
  void mavenNotesWhichSourcesTheJarsWereMadeFrom() {
    Path launcher = FakeMachine.launcher();
    assertThat(launcher.resolveSibling("cli/target/.built"))
        .hasSameTextualContentAs(launcher.resolveSibling("target/.sources"))
        .content()
        .matches("\\d+ \\d+\n");
  }

  @Test
  void itRunsFromAnotherFolderThroughALink() throws IOException {
    Path link = folder.resolve("a link");
    Files.createSymbolicLink(link, FakeMachine.launcher());
    var outcome = Outcome.of(folder, environment(), List.of(link.toString(), "--version"));
    Files.delete(link); // JUnit warns of links that lead out of its folder
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isZero();
  }

  @Test
  void anUnknownOptionIsOneLineWithTheNearestAndExitCodeTwo() {
    var outcome = ridgeline("doctor", "--jsn");
    assertThat(outcome.err())
        .isEqualTo(
            "ridgeline: unknown option '--jsn'; did you mean --json?"
                + " (see ridgeline doctor --help)\n");
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.code()).isEqualTo(2);
  }

  @Test
  void anUnknownCommandIsOneLineWithTheNearestAndExitCodeTwo() {
    var outcome = ridgeline("docter");
    assertThat(outcome.err()).hasLineCount(1).contains("unknown command 'docter'", "doctor");
    assertThat(outcome.code()).isEqualTo(2);
  }

  @Test
  void verboseAddsTheStack() {
    assertThat(ridgeline("docter", "--verbose").err()).contains("\tat ");
  }

  @Test
  void everyCommandHasHelpWithExamples() {
    assertThat(ridgeline("--help").out()).contains("Usage:", "Examples:", "Exit codes:");
    assertThat(ridgeline("doctor", "--help").out()).contains("Usage:", "Examples:");
    assertThat(ridgeline().out()).isEqualTo(ridgeline("--help").out());
  }

  @Test
  void outputAndErrorsKeepTheirOrderInOneFile() {
    String one = quoted(FakeMachine.launcher());
    var outcome =
        bash("{ %1$s --version; %1$s --bad; %1$s --version; %1$s --bad; } 2>&1".formatted(one));
    assertThat(outcome.out().lines().map(line -> line.split(" ")[1].charAt(0)).toList())
        .extracting(c -> Character.isDigit(c) ? "version" : "error")
        .containsExactly("version", "error", "version", "error");
  }

  @Test
  void optionsFromTheEnvironmentAreNotEchoed() {
    var environment = environment();
    environment.put("JAVA_TOOL_OPTIONS", "-Dx=y");
    environment.put("JDK_JAVA_OPTIONS", "-Dx=z");
    var outcome = Outcome.of(folder, environment, command("--version"));
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "RIDGELINE_JVM_OPTS, -Xmx1k, Too small maximum heap",
    "JAVA_TOOL_OPTIONS, -XX:+Bogus, Unrecognized VM option 'Bogus'",
    "JDK_JAVA_OPTIONS, -XX:+Bogus, Unrecognized VM option 'Bogus'"
  })
  void optionsThatKeepTheJvmFromStartingAreOneLineAndABadQuestion(
      String variable, String option, String reason) {
    var environment = environment();
    environment.put(variable, option);
    var outcome = Outcome.of(folder, environment, command("--version"));
    assertThat(outcome.err())
        .isEqualTo(
            "ridgeline: the JVM does not start with the options in %s: %s\n"
                .formatted(variable, reason));
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.code()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseZGC", "-XX:+UseSerialGC", "-XX:-UseCompressedOops"})
  void aJvmThatCannotUseTheCacheStartsSilently(String option) {
    var environment = environment();
    environment.put("RIDGELINE_JVM_OPTS", option);
    // Standard error through a pipe: the filter may outlive the JVM by a moment.
    String script = quoted(FakeMachine.launcher()) + " --version 2>&1 >out | cat; cat out";
    var outcome = Outcome.ofShell(folder, environment, script);
    assertThat(outcome.out()).matches("ridgeline \\S+\n");
  }

  @Test
  void tooFewOpenFilesAreOneLine() {
    ridgeline("--version"); // what the first start prepares must not meet the limit
    var outcome = bash("ulimit -n 16; " + launch("models"));
    assertThat(outcome.err()).hasLineCount(1).startsWith("ridgeline: ").contains("ulimit -n");
    assertThat(outcome.code()).isEqualTo(2);
  }

  @Test
  void aFolderThatIsGoneIsTold() {
    var outcome = bash("mkdir gone; cd gone; rmdir ../gone; " + launch("--version"));
    // Shells themselves have a line about it, before any script can speak.
    assertThat(outcome.err().lines().filter(line -> !line.contains("getcwd")))
        .containsExactly(
            "ridgeline: the working directory does not exist any more: change to another");
    assertThat(outcome.code()).isEqualTo(2);
  }

  @Test
  void aReaderThatLeftEndsItQuietly() {
    var outcome =
        bash(
            "exec 3> >(exec <&-); wait $!; %s --help >&3"
                .formatted(quoted(FakeMachine.launcher())));
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isEqualTo(ExitCode.READER_LEFT);
  }

  @Test
  void aFullDiskBehindStandardOutputIsOneLine() {
    assumeTrue(Files.exists(Path.of("/dev/full")), "no /dev/full on this system");
    var outcome = bash(quoted(FakeMachine.launcher()) + " --version >/dev/full");
    assertThat(outcome.err()).hasLineCount(1).contains("cannot write to standard output");
    assertThat(outcome.code()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {">&-", "<&- >&-"})
  void aClosedStandardOutputIsOneLine(String closed) {
    var outcome = bash(launch("--version " + closed));
    assertThat(outcome.err()).hasLineCount(1).contains("cannot write to standard output");
    assertThat(outcome.code()).isEqualTo(2);
  }

  @Test
  void anAnswerThatNobodyCouldReadIsNoSuccess() {
    assertThat(bash(launch("--help <&- >&- 2>&-")).code()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2>&-", ">&- 2>&-", "<&- 2>&-", "<&- >&- 2>&-"})
  void closedStreamsLeaveNoProcessBehind(String closed) throws InterruptedException {
    String run = "no-such-run-" + System.nanoTime();
    var outcome = bash(quoted(FakeMachine.launcher()) + " report " + run + " " + closed);
    assertThat(outcome.code()).isEqualTo(2);
    for (int i = 0; i < 100 && anyProcessNames(run); i++) Thread.sleep(50);
    assertThat(anyProcessNames(run)).isFalse();
  }

  private static boolean anyProcessNames(String word) {
    return ProcessHandle.allProcesses()
        .anyMatch(process -> process.info().commandLine().orElse("").contains(word));
  }

  @Test
  void aSignalReachesTheProgram() throws Exception {
    var builder = new ProcessBuilder(command("doctor")).directory(folder.toFile());
    builder.environment().putAll(environment());
    Process process = builder.start();
    try (var out = process.inputReader()) {
      assertThat(out.readLine()).startsWith("ridgeline ");
      process.destroy();
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }
    assertThat(process.exitValue()).isEqualTo(128 + 15);
  }

  @Test
  void theDoctorsJsonHasItsKeys() {
    var outcome = ridgeline("doctor", "--json");
    assertThat(outcome.err()).isEmpty();
    JsonNode json = JsonMapper.shared().readTree(outcome.out());
    assertThat(json.get("schema").asString()).isEqualTo("ridgeline.doctor");
    assertThat(json.get("version").asInt()).isEqualTo(1);
    assertThat(json.get("checks").propertyNames())
        .contains(
            "java.version",
            "java.compiler",
            "java.collector",
            "java.heap",
            "java.aotCache",
            "cpu.model",
            "cpu.features",
            "cpu.cores",
            "memory.total",
            "vector.bits",
            "vector.speedup",
            "roofline.assembled",
            "roofline.ceilings",
            "clock.nanoTime",
            "clock.allocatedBytes",
            "scope.off",
            "scope.time",
            "scope.allocation",
            "scope.trace",
            "gpu.cuda",
            "gpu.openCl",
            "optional.perfEvents",
            "optional.asyncProfiler",
            "noise.steal");
    assertThat(outcome.code()).isEqualTo(json.get("problems").asInt() == 0 ? 0 : 1);
  }

  private Outcome ridgeline(String... arguments) {
    return Outcome.of(folder, environment(), command(arguments));
  }

  private Outcome bash(String script) {
    return Outcome.ofShell(folder, environment(), script);
  }

  private static List<String> command(String... arguments) {
    var command = new ArrayList<>(List.of(FakeMachine.launcher().toString()));
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  /** The jar under test is the one just packed: building again would pull it from under us. */
  private static Map<String, String> environment() {
    var environment = new HashMap<String, String>();
    environment.put("RIDGELINE_NO_BUILD", "1");
    environment.put("RIDGELINE_JAVA", System.getProperty("java.home"));
    for (var name : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")) {
      if (System.getenv(name) != null) environment.put(name, "");
    }
    return environment;
  }

  private static String launch(String arguments) {
    return quoted(FakeMachine.launcher()) + " " + arguments;
  }

  private static String quoted(Path path) {
    return "'" + path + "'";
  }
}
