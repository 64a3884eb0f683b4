package dev.ridgeline.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What else the machine did. */
class MachineLoadTest {
  @TempDir private Path proc;

  @Test
  void timeThatIsNotOursIsTheOthers() throws IOException {
    MachineLoad before = load("100 0 50 800 50 0 0 0", "10 5 20 5");
    MachineLoad after = load("160 0 90 850 50 0 0 50", "20 10 40 10");
    Disturbance disturbance = after.since(before);
    assertThat(disturbance.steal()).isEqualTo(50 / 200.0);
    assertThat(disturbance.others()).isEqualTo((100 - 40) / 200.0);
    assertThat(disturbance.tooMuch()).isTrue();
  }

  @Test
  void aQuietMachineDoesNotDisturb() throws IOException {
    MachineLoad before = load("100 0 50 800 50 0 0 0", "10 5 20 5");
    MachineLoad after = load("150 0 60 940 50 0 0 1", "60 15 20 5");
    assertThat(after.since(before).tooMuch()).isFalse();
  }

  @Test
  void aMachineThatDoesNotTellDisturbsNothing() {
    MachineLoad unknown = MachineLoad.read(proc.resolve("nowhere"));
    assertThat(unknown.since(unknown).tooMuch()).isFalse();
  }

  private MachineLoad load(String cpu, String own) throws IOException {
    Files.createDirectories(proc.resolve("self"));
    Files.writeString(proc.resolve("stat"), "cpu  " + cpu + " 0 0\ncpu0 1 2 3\n");
    Files.writeString(
        proc.resolve("self/stat"), "1 (a ) name) S 1 1 1 0 -1 0 0 0 0 0 " + own + " 20 0 1\n");
    return MachineLoad.read(proc);
  }
}
