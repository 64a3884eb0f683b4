package dev.ridgeline.lab.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

@Execution(CONCURRENT)
class EphemeralTest {
  private static final String AGENT =
      "-javaagent:%s/ridgeline-agent-0.1.0.jar=scope=App.**,runs=%s,answer=%s/ridgeline-%d.answer";

  @Test
  void theAgentThatRecordedIsNoFlagWhereverItLies() {
    assertThat(Ephemeral.flags(List.of(AGENT.formatted("/opt", "/home/me/runs", "/tmp", 759L))))
        .isEqualTo(Ephemeral.flags(List.of(AGENT.formatted("/usr/lib", "r", "/var/tmp", 42607L))))
        .isEmpty();
    assertThat(Ephemeral.flags(List.of("-agentpath:/home/me/.cache/x/libasyncProfiler.so")))
        .isEmpty();
    assertThat(Ephemeral.flags(List.of("-javaagent:/opt/other.jar=x=1"))).hasSize(1);
  }

  @Test
  void whatDiffersFromStartToStartIsNoPartOfTheJvm() {
    equal("-Djava.io.tmpdir=/tmp/a1", "-Djava.io.tmpdir=/home/me/t");
    equal("-XX:ErrorFile=/tmp/hs_%p.log", "-XX:ErrorFile=/var/log/hs.log");
    equal("-Xlog:gc:file=/home/a/gc.log", "-Xlog:gc*:file=/home/b/gc.log");
    equal("-XX:AOTCache=/a/25.aot", "-XX:AOTCache=/b/25.aot");
    equal("-Dcom.sun.management.jmxremote.port=40123", "-Dcom.sun.management.jmxremote.port=50");
    equal("-Dserver.port=8080", "-Dserver.port=18080");
    equal("-Dout=/tmp/junit8123761253/out", "-Dout=/tmp/junit99812731/out");
    equal("-Dout=/tmp/tmp.Xa8sKq2PqR", "-Dout=/tmp/tmp.00ZZasPqRa");
    equal("-Dpeer=localhost:40123", "-Dpeer=localhost:35001");
  }

  @Test
  void whatAProgramIsToldToDoStays() {
    differ("-Xmx1g", "-Xmx2g");
    differ("-XX:+UseSerialGC", "-XX:+UseParallelGC");
    differ("-Dsize=1000", "-Dsize=2000");
    differ("-Dreport=1000", "-Dreport=2000");
    differ("-Dinput=/tmp/small.txt", "-Dinput=/tmp/large.txt");
    differ("-Dinput=/data/1/in.txt", "-Dinput=/data/2/in.txt");
    differ("-Dpeer=db.example:5432", "-Dpeer=db.example:5433");
  }

  @Test
  void theWordAfterAnOptionMayBeItsPort() {
    assertThat(Ephemeral.words(List.of("--port", "8080", "300")))
        .isEqualTo(Ephemeral.words(List.of("--port", "9090", "300")))
        .isNotEqualTo(Ephemeral.words(List.of("--port", "9090", "301")));
    assertThat(Ephemeral.words(List.of("report", "3"))).containsExactly("report", "3");
  }

  @Test
  void aJarIsTheSameProgramInAnyFolderAndVersion() {
    assertThat(Ephemeral.program("build/1/app-1.2.jar")).isEqualTo("app.jar");
    assertThat(Ephemeral.program("/ci/2/app-1.10.0-SNAPSHOT.jar")).isEqualTo("app.jar");
    assertThat(Ephemeral.program("app.jar")).isEqualTo("app.jar");
    assertThat(Ephemeral.program("com.example.Main")).isEqualTo("com.example.Main");
  }

  private static void equal(String one, String other) {
    assertThat(Ephemeral.flags(List.of(one))).isEqualTo(Ephemeral.flags(List.of(other)));
  }

  private static void differ(String one, String other) {
    assertThat(Ephemeral.flags(List.of(one))).isNotEqualTo(Ephemeral.flags(List.of(other)));
  }
}
