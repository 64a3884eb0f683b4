package dev.ridgeline.report.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.report.SampleProfiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopFunctionsTest {
  /** Own part, part with all below, name. */
  private static final Pattern ROW =
      Pattern.compile("\\S.*? +([\\d.e-]+)% +[\\d.]+% .*? +([\\d.e-]+)%  (.+)");

  @TempDir private Path folder;

  private static Map<String, double[]> rows(String top) {
    Map<String, double[]> rows = new HashMap<>();
    for (String line : top.lines().toList()) {
      Matcher row = ROW.matcher(line.strip());
      if (!row.matches()) continue;
      double own = Double.parseDouble(row.group(1));
      rows.put(row.group(3), new double[] {own, Double.parseDouble(row.group(2))});
    }
    return rows;
  }

  private void sameAsGo(String file, String ours) {
    Program go = Program.of("go", "golang-go");
    String theirs =
        go.run(folder, "tool", "pprof", "-top", "-nodefraction=0", "-nodecount=100000", file);
    Map<String, double[]> rows = rows(ours);
    Map<String, double[]> expected = rows(theirs);
    assertThat(rows.keySet()).isEqualTo(expected.keySet()).isNotEmpty();
    expected.forEach(
        (name, parts) -> {
          assertThat(rows.get(name)[0]).as(name).isCloseTo(parts[0], within(0.02));
          assertThat(rows.get(name)[1]).as(name).isCloseTo(parts[1], within(0.02));
        });
  }

  @Test
  void sampledCodeIsRankedAsGoRanksIt() throws IOException {
    Profile profile = SampleProfiles.random(5, 300, 4, Level.ALLOCATION);
    try (OutputStream out = Files.newOutputStream(folder.resolve("cpu.pprof"))) {
      Pprof.samples(profile, out);
    }
    sameAsGo("cpu.pprof", TopFunctions.cpu(profile, 100_000));
  }

  @Test
  void withoutSamplesScopesAreRanked() throws IOException {
    Profile profile = SampleProfiles.random(6, 200, 3, Level.ALLOCATION).withSamples(Samples.NONE);
    try (OutputStream out = Files.newOutputStream(folder.resolve("cpu.pprof"))) {
      Pprof.cpu(profile, out);
    }
    sameAsGo("cpu.pprof", TopFunctions.cpu(profile, 100_000));
  }

  @Test
  void onlySoManyAreShown() {
    Profile profile = SampleProfiles.random(5, 300, 4, Level.ALLOCATION);
    assertThat(rows(TopFunctions.allocated(profile, 7))).hasSizeLessThanOrEqualTo(7).isNotEmpty();
    assertThat(TopFunctions.allocated(profile, 7)).startsWith("Type: alloc_space\n");
    assertThat(TopFunctions.objects(profile, 7)).contains("new ");
    assertThat(TopFunctions.objects(profile.withSamples(Samples.NONE), 7))
        .endsWith("No object was sampled.\n");
  }
}
