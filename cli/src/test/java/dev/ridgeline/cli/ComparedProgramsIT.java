package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** Runs of a user's own program, compared as a user would. */
@Execution(CONCURRENT)
class ComparedProgramsIT {
  private static final String PROGRAM =
      """
      package com.acme;

      public class Pricing {
        static byte[] kept;

        public static void main(String[] words) {
          int rounds = words.length == 0 ? 1000 : Integer.parseInt(words[0]);
          for (int i = 0; i < rounds; i++) for (int k = 0; k < CALLS; k++) price();
        }

        static void price() {
          kept = new byte[16_384];
        }
      }
      """;

  @TempDir private Path folder;

  @BeforeEach
  void needsACompiler() {
    assumeTrue(ToolProvider.getSystemJavaCompiler() != null, "needs a JDK with a compiler");
  }

  @Test
  void twiceTheCallsAndBytesCloseTheGateAndEqualRunsPassIt() throws IOException {
    String first = profiled("one", 1);
    String equal = profiled("one", 1);
    String planted = profiled("two", 2);

    Outcome same = ridgeline("compare", first, equal, "--gate");
    assertThat(same.err()).isEmpty();
    assertThat(same.code()).as(same.out()).isZero();
    assertThat(same.out())
        .contains("total time", "CPU time", "allocated in scopes", "calls of scopes")
        .contains("same: 1,001");

    Outcome worse = ridgeline("compare", first, planted, "--gate");
    assertThat(worse.err()).isEmpty();
    assertThat(worse.code()).as(worse.out()).isEqualTo(1);
    Matcher proof =
        Pattern.compile("Prove  ridgeline ab --a-command '(.*)' --b-command '(.*)'\n")
            .matcher(worse.out());
    assertThat(proof.find()).as(worse.out()).isTrue();
    for (int side = 1; side <= 2; side++) {
      Outcome started = Outcome.of(Path.of("/"), Map.of(), List.of("sh", "-c", proof.group(side)));
      assertThat(started.code()).as(started.err()).isZero();
    }
    assertThat(worse.out())
        .containsPattern("calls +1,001 → 2,001   worse")
        .containsPattern("heap bytes allocated .*worse")
        .doesNotContain("Differs");
  }

  @Test
  void historyHoldsThemInOneSeries() throws IOException {
    for (int i = 0; i < 3; i++) profiled("one", 1);
    Outcome history = ridgeline("history", "recorded", "--json");
    assertThat(history.out().split("\"run\" :", -1)).as(history.out()).hasSize(1 + 3);
    assertThat(history.out().split("\"points\"", -1)).hasSize(1 + 1);
  }

  @Test
  void whatCannotBeGatedIsABadQuestionAndNeverPasses() throws IOException {
    String first = profiled("one", 1);
    String other = profiled("one", 1, "2000");
    refused(
        ridgeline("compare", first, other, "--gate"),
        "ridgeline: --gate: they did not do the same work: arguments: – → 2000\n");
    Path run = folder.resolve("runs").resolve(first).resolve("profile.json");
    Files.delete(run);
    refused(
        ridgeline("compare", first, profiled("one", 1), "--gate"),
        "ridgeline: --gate: nothing to compare exactly: both must be recorded from start to end,"
            + " with scopes\n");
  }

  @Test
  void otherFlagsOfTheJvmAreToldAndNotGated() throws IOException {
    String first = profiled("one", 1);
    String other = profiled("one", 1, "-Xmx300m");
    refused(
        ridgeline("compare", first, other, "--gate"),
        "ridgeline: --gate: they did not run on the same machine and JVM: JVM flags:  →"
            + " -Xmx300m\n");
    assertThat(ridgeline("compare", first, other).out()).contains("machine · JVM flags: ");
  }

  @Test
  void aJarIsAProgramTooEvenIfItsPathHasSpaces() throws IOException {
    Path classes = folder.resolve("jar");
    compile(classes, 1);
    Path jar = Files.createDirectories(folder.resolve("my programs")).resolve("pricing.jar");
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "com.acme.Pricing");
    try (var to = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      to.putNextEntry(new JarEntry("com/acme/Pricing.class"));
      Files.copy(classes.resolve("com/acme/Pricing.class"), to);
    }
    String first = profiled(List.of("-jar", jar.toString()));
    String equal = profiled(List.of("-jar", jar.toString()));
    Outcome same = ridgeline("compare", first, equal, "--gate");
    assertThat(same.code()).as(same.err()).isZero();
    refused(
        ridgeline("compare", first, profiled(List.of("-jar", jar.toString(), "2000")), "--gate"),
        "ridgeline: --gate: they did not do the same work: arguments: – → 2000\n");
  }

  private static void refused(Outcome outcome, String line) {
    assertThat(outcome.err()).isEqualTo(line);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.code()).isEqualTo(2);
  }

  /** Profiles a build of the program and answers the name of the run. */
  private String profiled(String build, int calls, String... words) throws IOException {
    Path classes = folder.resolve(build);
    if (!Files.exists(classes)) compile(classes, calls);
    List<String> java = new ArrayList<>();
    for (String word : words) if (word.startsWith("-")) java.add(word);
    java.addAll(List.of("-cp", classes.toString(), "com.acme.Pricing"));
    for (String word : words) if (!word.startsWith("-")) java.add(word);
    return profiled(java);
  }

  private String profiled(List<String> java) throws IOException {
    String scope = "com.acme.Pricing";
    List<String> command = new ArrayList<>(List.of("profile", "--scope", scope, "--quiet"));
    command.addAll(List.of("--", System.getProperty("java.home") + "/bin/java"));
    command.addAll(java);
    Outcome outcome = ridgeline(command.toArray(String[]::new));
    assertThat(outcome.code()).as(outcome.err()).isZero();
    return new RunDirectory(Path.of(outcome.err().strip())).name();
  }

  private static void compile(Path classes, int calls) throws IOException {
    Files.createDirectories(classes);
    Path source = classes.resolve("Pricing.java");
    Files.writeString(source, PROGRAM.replace("CALLS", Integer.toString(calls)));
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), source.toString());
    assertThat(code).isZero();
  }

  private Outcome ridgeline(String... words) {
    List<String> command = new ArrayList<>(List.of(FakeMachine.launcher().toString()));
    command.addAll(List.of(words));
    Map<String, String> environment =
        Map.of(
            "RIDGELINE_NO_BUILD",
            "1",
            "RIDGELINE_JAVA",
            System.getProperty("java.home"),
            "RIDGELINE_RUNS",
            new Runs(folder.resolve("runs")).folder().toString());
    return Outcome.of(folder, environment, command);
  }
}
