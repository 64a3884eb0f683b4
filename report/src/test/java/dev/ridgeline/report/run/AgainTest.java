package dev.ridgeline.report.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.report.roofline.Ceilings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgainTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ridgeline,profile                                  | embed
          ridgeline,profile,--texts,64                       | embed --texts 64
          ridgeline,profile,generate,-m,a b,--quiet          | generate -m 'a b'
          ridgeline,profile,embed,--runs,x,--level=time      | embed
          ridgeline,generate,-p,it's,--profile=time          | generate -p "it's"
          ridgeline,generate,-p,it's $1                      | generate -p 'it'\\''s $1'
          ridgeline,profile,train,-c,x.json,--out,y,--resume | train -c x.json
          ridgeline,generate,-p,~/x                          | generate -p '~/x'
          java,-jar,app.jar                                  | ``
          ridgeline                                          | embed
          """)
  void theWorkIsTypedAgainWithoutWhatIsOfTheProfile(String command, String again) {
    Run run = SampleRuns.random(1);
    Run typed =
        new Run(
            "embed",
            "",
            run.started(),
            Arrays.asList(command.split(",")),
            List.of(),
            run.machine(),
            "",
            Map.of(),
            Map.of(),
            Map.of(),
            "",
            run.metrics(),
            List.of(),
            0,
            Ceilings.NONE);
    assertThat(Again.line(Again.work(typed))).isEqualTo(again);
  }

  @Test
  void aProofComparesWithTheCommitThatWasMeasured() {
    assertThat(Again.proof(of("41a28e", "embed")))
        .isEqualTo("ridgeline ab --a-rev 41a28e -- embed --texts 8");
    assertThat(Again.proof(of("41a28e+changes", "embed")))
        .isEqualTo("ridgeline ab --a-rev HEAD -- embed --texts 8");
    assertThat(Again.proof(of("", "embed"))).isEmpty();
    assertThat(Again.proof(of("41a28e", "kernels-allocation")))
        .isEqualTo("ridgeline ab --a-rev 41a28e -- kernels --texts 8");
  }

  @Test
  void aProofRunsTheKernelsThatWereMeasured() {
    Run run = of("41a28e", "embed");
    Machine was = run.machine();
    Machine.Jvm jvm = was.jvm();
    var chosen =
        new Machine.Jvm(
            jvm.name(),
            jvm.version(),
            jvm.jit(),
            jvm.gc(),
            jvm.heapMaxBytes(),
            List.of("-Xmx6g", "-Dridgeline.tier=avx2", "-Dridgeline.stderr=9"));
    var machine =
        new Machine(
            was.cpu(),
            was.microarchitecture(),
            was.cores(),
            was.memoryBytes(),
            was.limits(),
            was.os(),
            chosen);
    assertThat(Again.proof(on(machine, run)))
        .isEqualTo(
            "ridgeline ab --a-rev 41a28e --a-jvm -Dridgeline.tier=avx2"
                + " --b-jvm -Dridgeline.tier=avx2 -- embed --texts 8");
  }

  @Test
  void aRunInAnotherFolderIsNamedWithIt() {
    assertThat(Again.named(new RunDirectory(Path.of("runs", "one")))).isEqualTo("one");
    assertThat(Again.named(new RunDirectory(Path.of("runs", "one").toAbsolutePath())))
        .isEqualTo("one");
    assertThat(Again.named(new RunDirectory(Path.of("/some where", "one"))))
        .isEqualTo("one --runs '/some where'");
  }

  private static Run of(String revision, String name) {
    Run run = SampleRuns.random(1);
    return of(revision, name, run.machine());
  }

  private static Run on(Machine machine, Run run) {
    return of(run.revision(), run.name(), machine);
  }

  private static Run of(String revision, String name, Machine machine) {
    Run run = SampleRuns.random(1);
    return new Run(
        name,
        "",
        run.started(),
        List.of("ridgeline", "profile", "--texts", "8"),
        List.of(),
        machine,
        revision,
        Map.of(),
        Map.of(),
        Map.of(),
        "",
        run.metrics(),
        List.of(),
        0,
        Ceilings.NONE);
  }
}
