package dev.ridgeline.tensor.kernel.assembled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tiers below the processor's own, each in a JVM that was told to use it. */
@Execution(CONCURRENT)
@Tag("own-jvm")
class LowerTiersTest {
  @ParameterizedTest
  @ValueSource(strings = {"avx2", "avx512"})
  void theTestsOfProductsPassInEveryTier(String tier) throws Exception {
    assumeTrue(AssembledKernels.obstacle(CpuFeatures.here()) == null, "nothing is assembled here");
    Tier here = Tier.of(CpuFeatures.here());
    assumeTrue(here.compareTo(Tier.valueOf(tier.toUpperCase())) >= 0, "needs " + tier);
    assertThat(java("-Dridgeline.tier=" + tier, LowerTier.class.getName()))
        .contains(Tier.valueOf(tier.toUpperCase()).title())
        .endsWith("passed\n");
  }

  @Test
  void aTierThatIsNoneIsRefused() throws Exception {
    assumeTrue(AssembledKernels.obstacle(CpuFeatures.here()) == null, "nothing is assembled here");
    assertThat(java("-Dridgeline.tier=sse", LowerTier.class.getName()))
        .contains("-Dridgeline.tier=sse: say avx2, avx-vnni, avx512, avx512-vnni or amx");
  }

  private static String java(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-Xlog:disable",
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path")));
    Stream.of(arguments).forEach(command::add);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }
}
