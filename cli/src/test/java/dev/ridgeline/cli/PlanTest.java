package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.lab.verdict.NoEffect;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.Runs;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import dev.ridgeline.tensor.tune.Tiling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an option changes is seen in a run: else it would be said to have no effect. */
class PlanTest {
  @TempDir private Path folder;

  private Run run(List<Object> base, Object... more) {
    List<Object> args = new ArrayList<>(base);
    args.addAll(Arrays.asList(more));
    Path runs = folder.resolve("runs");
    args.addAll(List.of("--runs", runs, "--formats", "none", "--quiet"));
    Answer answer = Answer.of(args.toArray());
    assertThat(answer.code()).as(answer.err()).isZero();
    return new Runs(runs).find(answer.out().strip()).run();
  }

  private void differs(Run plain, List<Object> base, Object... more) {
    assertThat(NoEffect.of(plain, run(base, more))).as("%s", Arrays.asList(more)).isEmpty();
  }

  @Test
  void ofEmbed() {
    Path model = TinyModel.bert(folder.resolve("tiny.gguf"), Map.of());
    List<Object> base =
        List.of("profile", "embed", "a", "b", "-m", model, "--iterations", 1, "--warm-up", 0);
    Run plain = run(base, "--workers", 1);
    differs(plain, base, "--workers", 2);
    differs(plain, base, "--workers", 1, "--batch", 1);
    differs(plain, base, "--workers", 1, "--strategy", "coarse");
    differs(plain, base, "--workers", 1, "--calls", 1);
    differs(plain, base, "--workers", 1, "--level", "time");
    differs(plain, base, "--workers", 1, "--repack", "no");
    assertThat(NoEffect.of(plain, run(base, "--workers", 1, "--repack", "yes"))).isPresent();
    assertThat(NoEffect.of(plain, run(base, "--workers", 1, "--strategy", "packed"))).isPresent();
    assertThat(NoEffect.of(plain, run(base, "--workers", 1, "--batch", 64))).isPresent();
    assertThat(NoEffect.of(plain, run(base, "--workers", 1, "--texts", 3))).isPresent();
    // How long it is measured changes nothing in what is measured.
    assertThat(NoEffect.of(plain, run(base, "--workers", 1, "--for", 0.01))).isPresent();
  }

  @Test
  void namesTilesAndTheCodeThatRan() {
    assumeTrue(Tier.here() != null, "nothing is assembled here");
    Path model = TinyModel.bert(folder.resolve("tiny.gguf"), Map.of());
    Map<String, String> plan =
        run(List.of("profile", "embed", "a", "-m", model, "--iterations", 1, "--warm-up", 0))
            .plan();
    assertThat(plan)
        .containsEntry("weights", "repacked")
        .containsEntry("tiles", Tiling.here().description());
    // Each with its digest, as inspect shows it.
    String product = "f32-%s-".formatted(Tier.here().word());
    String all = Answer.of("inspect", "--kernel", "all").out();
    assertThat(plan.get("code").split(", "))
        .anyMatch(code -> code.startsWith(product))
        .allSatisfy(code -> assertThat(all).containsPattern(code.replace(" ", " +.* bytes  ")));
  }

  @Test
  void ofGenerate() {
    Path model = TinyDecoder.write(folder.resolve("tiny.gguf"));
    List<Object> base =
        List.of("profile", "generate", "-m", model, "--iterations", 1, "--workers", 1);
    List<Object> short2 = new ArrayList<>(base);
    short2.addAll(List.of("-p", "the old man", "-n", 2, "--warm-up", 0));
    Run plain = run(short2);
    Run penalized = run(short2, "--repeat-penalty", 1.2);
    differs(penalized, short2, "--repeat-penalty", 1.2, "--repeat-last", 3);
    assertThat(NoEffect.of(plain, run(short2, "--repeat-last", 3))).isPresent();
    differs(plain, short2, "--stop", "zebra");
    Run stored = run(short2, "--repack", "no");
    assertThat(NoEffect.of(plain, stored)).isEmpty();
    assertThat(stored.outputDigest()).isEqualTo(plain.outputDigest());
    differs(plain, base, "-p", "the old man", "-n", 3, "--warm-up", 0);
    differs(plain, base, "-p", "the old cat", "-n", 2, "--warm-up", 0);
    differs(plain, base, "--depths", 3, "--warm-up", 0, "--context", 64);
    assertThat(NoEffect.of(plain, run(short2, "--trace-limit", 3))).isPresent();
    List<Object> warmed = new ArrayList<>(base);
    warmed.addAll(List.of("-p", "the old man", "-n", 2, "--warm-up", 0.001));
    assertThat(NoEffect.of(plain, run(warmed))).isPresent();
  }

  @Test
  void ofKernels() {
    List<Object> base = List.of("profile", "kernels", "--filter", "softmax");
    Run plain = run(base, "--budget", 0.05);
    differs(plain, base, "--budget", 0.05, "--seed", 1);
    assertThat(NoEffect.of(plain, run(base, "--budget", 0.06))).isPresent();
    // No parallel kernel is among them.
    assertThat(NoEffect.of(plain, run(base, "--budget", 0.05, "--workers", 1))).isPresent();
  }
}
