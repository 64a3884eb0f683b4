package dev.ridgeline.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that was linked without the flight recorder. */
class SmallJvmIT {
  @TempDir Path folder;

  @Test
  void scopesNeedNoFlightRecorderAndSamplesSayThatTheyDo() throws Exception {
    Path java = link().resolve("bin/java");
    int code = run(java, "formats=none,scope=Waiting.work");
    assertThat(code).as(err()).isEqualTo(7);
    List<RunDirectory> runs = new Runs(folder.resolve("runs")).list();
    assertThat(runs).hasSize(1);
    assertThat(runs.getFirst().profile().tree().find("Waiting.work").calls()).isEqualTo(10);
    assertThat(run(java, "formats=none,sample=cpu,scope=Waiting.work")).isEqualTo(2);
    assertThat(err())
        .isEqualTo(
            "ridgeline-agent: no flight recorder in this JVM: sampling needs the module jdk.jfr\n");
  }

  private Path link() {
    ToolProvider jlink = ToolProvider.findFirst("jlink").orElse(null);
    assumeThat(jlink).as("a JDK with jlink").isNotNull();
    Path image = folder.resolve("image");
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    String modules = "java.base,java.instrument,java.management,jdk.management";
    int code = jlink.run(out, out, "--add-modules", modules, "--output", image.toString());
    assertThat(code).as("%s", said).isZero();
    return image;
  }

  private int run(Path java, String options) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    java.toString(),
                    "-javaagent:" + Target.AGENT + "=" + options,
                    "-cp",
                    Target.PROGRAMS.toString(),
                    "acme.engine.Waiting",
                    "exit"))
            .directory(folder.toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().put("RIDGELINE_RUNS", folder.resolve("runs").toString());
    builder.redirectOutput(folder.resolve("out.txt").toFile());
    builder.redirectError(folder.resolve("err.txt").toFile());
    Process process = builder.start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError("did not end; it said: " + err());
    }
    return process.exitValue();
  }

  private String err() throws Exception {
    return Files.readString(folder.resolve("err.txt"));
  }
}
