package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.report.roofline.Bound;
import dev.ridgeline.report.roofline.Bounds;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Level;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundsTest {
  private static final long MB = 1_000_000;

  private static Bound bound(Made made, String... path) {
    Profile profile = made.build();
    CallTree tree = profile.tree();
    return Bounds.of(profile, tree, Machines.ZEN_4).of(tree.find(path));
  }

  @Test
  void aMatrixTimesAVectorFromMemoryIsBoundByMemory() {
    Bound bound =
        bound(Made.profile().working(-1, "gemv", 100, 600, 100 * 64 * MB, 100 * 32 * MB), "gemv");
    assertThat(bound.limitedBy()).isEqualTo("DRAM");
    assertThat(bound.level()).isEqualTo(Level.DRAM);
    assertThat(bound.told()).isEqualTo(Bound.Told.ASSUMED);
    assertThat(bound.gigabytesPerSecond()).isCloseTo(10.667, within(0.001));
    assertThat(bound.reached()).isCloseTo(10.667 / 30, within(0.001));
    assertThat(bound.toWinNanos()).isCloseTo(600e6 - 6400e6 / 30, within(1e3));
    assertThat(bound.intensity()).isEqualTo(0.5);
    assertThat(bound.memory()).containsOnlyKeys(Level.values());
    assertThat(bound.memory().get(Level.L3)).isCloseTo(6400e6 / 50, within(1.0));
    assertThat(bound.compute().get(Arithmetic.F32)).isCloseTo(3200e6 / 120, within(1.0));
  }

  @Test
  void aMatrixTimesAMatrixInACacheIsBoundByCompute() {
    long bytes = 3L * 4 * 256 * 256;
    long flops = 2L * 256 * 256 * 256;
    Bound bound =
        bound(Made.profile().working(-1, "gemm", 1000, 500, 1000 * bytes, 1000 * flops), "gemm");
    assertThat(bound.limitedBy()).isEqualTo("f32 compute");
    assertThat(bound.level()).isEqualTo(Level.L2);
    assertThat(bound.unit()).isEqualTo("GFLOP/s");
    assertThat(bound.rate()).isCloseTo(67.1, within(0.1));
    assertThat(bound.reachableRate()).isCloseTo(120, within(1e-6));
  }

  @Test
  void integerWorkIsMeasuredByIntegerArithmetic() {
    Work work = new Work(MB, 0, 1000 * MB);
    Bound bound = bound(Made.profile().working(-1, "dot", 10, 5, 5, work), "dot");
    assertThat(bound.limitedBy()).isEqualTo("int8 compute");
    assertThat(bound.unit()).isEqualTo("GOP/s");
    assertThat(bound.reachableRate()).isCloseTo(480, within(1e-6));
  }

  @Test
  void integerWorkIsMeasuredByTheFormThatItWasDoneIn() {
    Work work = new Work(MB, 0, 500 * MB, Arithmetic.INT8_WORDS);
    Bound bound = bound(Made.profile().working(-1, "dot", 10, 5, 5, work), "dot");
    assertThat(bound.limitedBy()).isEqualTo("int8 compute");
    assertThat(bound.reachableRate()).isCloseTo(240, within(1e-6));
    // Floats in the same scope have the ceiling of floats.
    Work both = new Work(MB, 120 * MB, 240 * MB, Arithmetic.INT8_WORDS);
    bound = bound(Made.profile().working(-1, "dot", 10, 5, 5, both), "dot");
    assertThat(bound.idealNanos()).isCloseTo(2e6, within(1.0));
  }

  @Test
  void aProgramOnNarrowRegistersIsMeasuredByThem() {
    assertThat(Machines.ZEN_4.compute(Arithmetic.INT8_WORDS).orElseThrow().bits()).isEqualTo(512);
    Ceilings narrow = Machines.ZEN_4.only(each -> each.bits() <= 256);
    assertThat(narrow.compute(Arithmetic.INT8_WORDS).orElseThrow().bits()).isEqualTo(256);
    assertThat(narrow.compute(Arithmetic.F32)).isPresent();
  }

  @Test
  void layersThatTogetherAreLargerThanACacheComeFromMemoryThoughEachWouldFit() {
    assertThat(layers(24, true).level()).isEqualTo(Level.DRAM);
    assertThat(layers(4, true).level()).isEqualTo(Level.L3);
    // The same where no scope stands for one pass.
    assertThat(layers(24, false).level()).isEqualTo(Level.DRAM);
    assertThat(layers(4, false).level()).isEqualTo(Level.L3);
  }

  private static Bound layers(int count, boolean passes) {
    Made made = Made.profile().idle(-1, "decode", passes ? 100 : 1, 100 * count, 0);
    for (int i = 0; i < count; i++) {
      made.idle(0, "layer " + i, 100, 100, 0);
      made.working(2 * i + 1, "matmul", 100, 100, 100 * 4 * MB, 100 * 8 * MB);
    }
    return bound(made, "decode", "layer 1", "matmul");
  }

  @Test
  void aFewCallsBehindOneScopeAreAsManyPieces() {
    Made made =
        Made.profile()
            .idle(-1, "qkv", 100, 200, 0)
            .working(0, "matmul", 300, 200, 300 * 12 * MB, 300 * 24 * MB);
    assertThat(bound(made, "qkv", "matmul").level()).isEqualTo(Level.DRAM);
    Made same =
        Made.profile()
            .idle(-1, "bench", 1, 100, 0)
            .working(0, "matmul", 300, 100, 300 * 12 * MB, 300 * 24 * MB);
    assertThat(bound(same, "bench", "matmul").level()).isEqualTo(Level.L3);
  }

  @Test
  void bytesThatArriveTooFastForMemoryComeFromTheCacheThatHoldsAPartOfThem() {
    // 40 MB again and again where a cache has 32: at 40 GB/s they are not from memory.
    Bound fast = bound(Made.profile().working(-1, "add", 100, 100, 100 * 40 * MB, 0), "add");
    assertThat(fast.level()).isEqualTo(Level.L3);
    assertThat(fast.told()).isEqualTo(Bound.Told.TIMED);
    assertThat(fast.reached()).isCloseTo(40 / 50.0, within(1e-6));
    // At 31 GB/s the ceiling may as well have drifted.
    Bound near = bound(Made.profile().working(-1, "add", 100, 129, 100 * 40 * MB, 0), "add");
    assertThat(near.level()).isEqualTo(Level.DRAM);
    assertThat(near.told()).isEqualTo(Bound.Told.ASSUMED);
    // Nothing of 400 MB is left in 32: what is declared, or the ceiling, must be wrong.
    Bound wrong = bound(Made.profile().working(-1, "add", 100, 1000, 100 * 400 * MB, 0), "add");
    assertThat(wrong.level()).isEqualTo(Level.DRAM);
    assertThat(wrong.reached()).isCloseTo(40 / 30.0, within(1e-6));
  }

  @Test
  void bytesThatTheScopeBeforeLeftInACacheAreToldByTheirTime() {
    // All layers together would not fit, but at 40 GB/s these 4 MB are not from memory.
    Made made = Made.profile().idle(-1, "decode", 100, 2400, 0);
    for (int i = 0; i < 24; i++) {
      made.idle(0, "layer " + i, 100, 100, 0);
      made.working(2 * i + 1, "add", 100, 10, 100 * 4 * MB, 0);
    }
    Bound bound = bound(made, "decode", "layer 1", "add");
    assertThat(bound.level()).isEqualTo(Level.L3);
    assertThat(bound.told()).isEqualTo(Bound.Told.TIMED);
  }

  @Test
  void sizesInNamesMakeNoFamily() {
    Made made =
        Made.profile()
            .working(-1, "copy 4", 100, 100, 100 * 20 * MB, 0)
            .working(-1, "copy 8", 100, 100, 100 * 20 * MB, 0);
    assertThat(bound(made, "copy 4").level()).isEqualTo(Level.L3);
  }

  @Test
  void aThreadAmongOthersHasItsShareOfWhatAllCoresDo() {
    Work half = new Work(0, 5_000 * MB);
    Made made =
        Made.profile()
            .region(-1, "region", 60, 1, 1, 2)
            .worker("one", false, 100, half)
            .worker("other", false, 100, half);
    Profile profile = made.build();
    CallTree tree = profile.tree();
    Bounds bounds = Bounds.of(profile, tree, Machines.ZEN_4);
    Bound bound = bounds.of(tree.find("region", "task"));
    // 200 GFLOP/s of both cores, not twice the 120 of one alone.
    assertThat(bound.reachableRate()).isCloseTo(100, within(1e-6));
    assertThat(bound.reached()).isCloseTo(0.5, within(1e-6));
    assertThat(bounds.of(tree.find("region"))).isNull();
    assertThat(bounds.idealWallNanos(tree.root())).isCloseTo(50e6, within(1.0));
    Bound all = bounds.inside(tree.root());
    assertThat(all.nanos()).isCloseTo(260e6, within(1.0));
    assertThat(all.idealNanos()).isCloseTo(100e6, within(1.0));
  }

  @Test
  void aScopeThatDeclaresItsWorkSpeaksForWhatIsInside() {
    Made made =
        Made.profile()
            .working(-1, "heads", 10, 100, 20, new Work(MB, 1200 * MB))
            .working(0, "scores", 10, 80, 0, 600 * MB);
    Profile profile = made.build();
    CallTree tree = profile.tree();
    Bounds bounds = Bounds.of(profile, tree, Machines.ZEN_4);
    assertThat(bounds.speakers()).containsExactly(tree.find("heads"));
    assertThat(bounds.of(tree.find("heads", "scores")).reached()).isCloseTo(5.0 / 80, within(1e-6));
    assertThat(bounds.idealWallNanos(tree.root())).isCloseTo(10e6, within(1.0));
  }

  @Test
  void whatDeclaresNothingOrIsTooShortHasNoBound() {
    assertThat(bound(Made.profile().idle(-1, "quiet", 10, 100, 100), "quiet")).isNull();
    Made brief = Made.profile().calibration(50, 50).working(-1, "brief", 1000, 0.1, MB, MB);
    assertThat(bound(brief, "brief")).isNull();
    Profile profile = Made.profile().working(-1, "x", 1, 1, MB, MB).build();
    Bounds none = Bounds.of(profile, profile.tree(), Ceilings.NONE);
    assertThat(none.isEmpty()).isTrue();
    assertThat(none.of(profile.tree().find("x"))).isNull();
  }

  @Test
  void sumsAreTheSameWhetherNumberedScopesAreOneOrNot() {
    for (long seed = 0; seed < 40; seed++) {
      Profile profile =
          SampleProfiles.random(seed, 200, 3, dev.ridgeline.profiler.Level.ALLOCATION);
      CallTree tree = profile.tree();
      CallTree folded = tree.folded(profile);
      Bounds bounds = Bounds.of(profile, tree, Machines.ZEN_4);
      Bounds one = bounds.folded(profile, tree, folded);
      String where = "seed " + seed;
      assertThat(one.idealWallNanos(folded.root()))
          .as(where)
          .isCloseTo(
              bounds.idealWallNanos(tree.root()),
              within(1e-9 * bounds.idealWallNanos(tree.root()) + 1e-9));
      for (Node node : bounds.speakers()) {
        Node above = node.parent();
        while (above != null && !bounds.speaks(above)) above = above.parent();
        assertThat(above).as(where).isNull();
      }
      for (Node node : tree.nodes()) {
        Bound bound = bounds.of(node);
        if (bound == null) continue;
        assertThat(bound.idealNanos()).as(where).isPositive().isFinite();
        assertThat(bound.toWinNanos()).as(where).isNotNegative().isFinite();
        assertThat(bound.limitedBy()).as(where).isNotEmpty();
      }
    }
  }

  @Test
  void theThreeWithMostToWinAreNamedWithTheCommandThatProvesIt() {
    Made made = Made.profile();
    for (int i = 0; i < 5; i++)
      made.working(-1, "op" + (char) ('a' + i), 10, 100 + i, MB, 600 * MB);
    List<Finding> findings = made.report(Machines.ZEN_4).findings();
    List<Finding> bottlenecks =
        findings.stream().filter(finding -> finding.rule().equals("bottleneck")).toList();
    assertThat(bottlenecks).hasSize(3);
    assertThat(bottlenecks.getFirst().what())
        .isEqualTo("ope reaches 5 % of what f32 compute allows: 5.77 of 120 GFLOP/s per thread");
    assertThat(bottlenecks.getFirst().win()).startsWith("~99.0 ms");
    assertThat(bottlenecks.getFirst().command()).isEqualTo("ridgeline ab --a-rev HEAD -- embed");
    Finding targets =
        findings.stream().filter(f -> f.rule().equals("targets")).findFirst().orElseThrow();
    assertThat(targets.what()).startsWith("ope now 104 ms, reachable 5.00 ms, gain 20.8 ×");
    // Each bottleneck has the command already.
    assertThat(targets.command()).isEmpty();
  }

  @Test
  void whereACeilingIsKnownTheDominantScopeIsNotNamedTwice() {
    Made made = Made.profile().working(-1, "op", 10, 100, MB, 600 * MB);
    assertThat(made.report(Machines.ZEN_4).findings())
        .extracting(Finding::rule)
        .contains("bottleneck")
        .doesNotContain("dominant-scope");
    Made same = Made.profile().working(-1, "op", 10, 100, MB, 600 * MB);
    assertThat(same.report().findings())
        .extracting(Finding::rule)
        .contains("dominant-scope")
        .doesNotContain("bottleneck", "targets");
  }

  @Test
  void moreThanTheMachineCanDoIsShownAndDoubted() {
    Report report = Made.profile().working(-1, "op", 10, 10, MB, 2400 * MB).report(Machines.ZEN_4);
    assertThat(report.bounds().of(report.tree().find("op")).reached()).isCloseTo(2, within(1e-6));
    assertThat(report.findings())
        .filteredOn(finding -> finding.rule().equals("beyond-the-ceiling"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.what()).startsWith("op reaches 200 % of what f32 compute allows");
              assertThat(finding.advice()).contains("must be wrong");
            });
    Report near = Made.profile().working(-1, "op", 10, 10, MB, 1250 * MB).report(Machines.ZEN_4);
    assertThat(near.findings()).extracting(Finding::rule).doesNotContain("beyond-the-ceiling");
  }
}
