package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the whole process holds at most: no tier may keep a wider copy of the weights. */
class EmbedMemoryIT {
  private static final long BESIDES = 150_000_000;
  private static final String MODEL = "synth:minilm-l6:q8_0";

  /** Models, and what the launcher prepares for its JVM: for all tiers. */
  @TempDir private static Path cache;

  @TempDir private Path folder;

  static List<Tier> tiers() {
    return Tier.allOf(CpuFeatures.here());
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("tiers")
  void theProcessHoldsLittleMoreThanTheFile(Tier tier) throws IOException {
    // Measuring ceilings takes a buffer larger than all caches, which is not the model's.
    String profile =
        "ridgeline profile embed -m %s --texts 256 --iterations 1 --warm-up 0 --workers 2"
            + " --ceilings none --formats none --runs runs";
    String launcher = "ridgeline() { '" + FakeMachine.launcher() + "' \"$@\"; }\n";
    Map<String, String> environment =
        Map.of(
            "RIDGELINE_NO_BUILD",
            "1",
            "RIDGELINE_CACHE",
            cache.toString(),
            "RIDGELINE_JAVA",
            System.getProperty("java.home"),
            "RIDGELINE_JVM_OPTS",
            "-Dridgeline.tier=" + tier.word());
    bash(environment, launcher + "ridgeline pull " + MODEL);
    bash(environment, launcher + profile.formatted(MODEL));
    long file = Files.size(cache.resolve("models/synth/minilm-l6.q8_0.gguf"));
    RunDirectory run = new Runs(folder.resolve("runs")).list().getFirst();
    assertThat(run.profile().system().peakRssBytes())
        .as("with a file of %,d bytes", file)
        .isBetween(file, file + BESIDES);
  }

  private void bash(Map<String, String> environment, String script) {
    Outcome outcome = Outcome.ofShell(folder, environment, script);
    assertThat(outcome.code()).as(outcome.err()).isZero();
  }
}
