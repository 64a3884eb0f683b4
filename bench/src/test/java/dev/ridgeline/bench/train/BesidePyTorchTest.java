package dev.ridgeline.bench.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A made-up PyTorch in place of the real one. */
class BesidePyTorchTest {
  @TempDir Path folder;

  private record Said(int code, String out, String err) {}

  private Said run(String python, String... args) throws IOException, InterruptedException {
    Path program = folder.resolve("python");
    Files.writeString(program, "#!/bin/sh\n" + python + "\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--add-modules", "jdk.incubator.vector", "-Xlog:disable"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(BesidePyTorch.class.getName(), "train_steps.py"));
    command.addAll(List.of(args));
    Path errors = folder.resolve("errors");
    var builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().put("PYTHON", program.toString());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), out, Files.readString(errors));
  }

  @Test
  void ratiosStandBesideTheBarOfTheirSize() throws Exception {
    Path json = folder.resolve("train.json");
    String torch = "case $1 in -c) echo 9.9 ;; *) echo 0.5 ;; esac";
    Said said = run(torch, "--quick", "--rounds", "1", "--json", json.toString(), "small", "1");
    assertThat(said.code).as(said.err).isZero();
    assertThat(said.out).contains("PyTorch 9.9", "small", "≥ 1.2 reached");
    assertThat(Files.readString(json)).contains("\"pytorch\" : [ 0.5 ]", "\"threads\" : 1");
    said = run(torch.replace("0.5", "1e12"), "--quick", "--rounds", "1", "small", "1");
    assertThat(said.out).contains("≥ 1.2 MISSED");
  }

  @Test
  void whatIsMissingIsOneLine() throws Exception {
    Said said = run("exit 1", "--quick", "small");
    assertThat(said.code).isEqualTo(2);
    assertThat(said.err.lines().filter(line -> line.startsWith("train: ")).toList())
        .singleElement()
        .asString()
        .contains("has no PyTorch");
    assertThat(run("echo 1", "huge").err).contains("train: huge: say small, medium or gpt2");
  }
}
