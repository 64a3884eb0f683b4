package dev.ridgeline.lab.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.model.store.Progress;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import dev.ridgeline.tensor.tune.Tiling;
import dev.ridgeline.tensor.tune.TilingTable;
import dev.ridgeline.tensor.tune.Tunable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TunerTest {
  private static final List<Tunable> BAND = List.of(Tunable.BAND);

  @TempDir private Path cache;

  /** Ratios around one, as a machine gives them that is no quiet one. */
  private static List<Double> around(double ratio, int rounds, Random random) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < rounds; i++) ratios.add(ratio * Math.exp(0.01 * random.nextGaussian()));
    return ratios;
  }

  /** A machine on which a value takes so much of the default's time. */
  private static Function<Block, Block.Result> machine(
      Function<Integer, Double> ratio, int rounds, List<Block> seen) {
    var random = new Random(5);
    return block -> {
      seen.add(block);
      Map<Integer, List<Double>> ratios = new LinkedHashMap<>();
      for (int value : block.values()) {
        ratios.put(value, around(ratio.apply(value), rounds, random));
      }
      return new Block.Result(ratios, Map.of());
    };
  }

  private static Decision decide(Function<Block, Block.Result> machine) {
    return new Tuner(machine, Progress.SILENT, 1).tune(BAND, List.of(), 1).getFirst();
  }

  @Test
  void whatIsFasterTwiceIsKept() {
    List<Block> seen = new ArrayList<>();
    Decision decision = decide(machine(value -> value == 64 ? 0.9 : 1.1, 20, seen));
    assertThat(decision.kept()).isTrue();
    assertThat(decision.best()).isEqualTo(64);
    assertThat(seen).hasSize(2);
    assertThat(seen.getFirst().values()).containsExactly(64, 256);
    assertThat(seen.getLast().values()).containsExactly(64);
    assertThat(seen.getLast().seed()).isNotEqualTo(seen.getFirst().seed());
  }

  @Test
  void whatIsFasterByALittleStaysAsItIs() {
    List<Block> seen = new ArrayList<>();
    Decision decision = decide(machine(_ -> 0.985, 30, seen));
    assertThat(decision.kept()).isFalse();
    assertThat(decision.why()).contains("not 2 % faster");
    assertThat(seen).hasSize(1);
  }

  @Test
  void whatASecondProcessDoesNotFindIsNotKept() {
    List<Block> seen = new ArrayList<>();
    Decision decision = decide(machine(_ -> seen.size() == 1 ? 0.9 : 1.0, 20, seen));
    assertThat(decision.kept()).isFalse();
    assertThat(decision.why()).contains("did not agree");
  }

  @Test
  void whatOthersMayHaveDecidedIsNotKept() {
    Map<Integer, List<Double>> ratios = Map.of(4, around(0.8, 20, new Random(1)));
    var result = new Block.Result(ratios, Map.of());
    Decision alone = Decision.first(Tunable.AUTO_COARSE, 0, result).again(result);
    assertThat(alone.kept()).isTrue();
    Decision beside = alone.beside(0.6);
    assertThat(beside.kept()).isFalse();
    assertThat(beside.why()).contains("others had 60 % of the cores");
    // Tiles are compared moment by moment.
    Map<Integer, List<Double>> tiles = Map.of(64, around(0.8, 20, new Random(1)));
    var ofTiles = new Block.Result(tiles, Map.of());
    assertThat(Decision.first(Tunable.BAND, 128, ofTiles).again(ofTiles).beside(0.6).kept())
        .isTrue();
  }

  @Test
  void fewRoundsDecideNothing() {
    Decision decision = decide(machine(_ -> 0.5, 4, new ArrayList<>()));
    assertThat(decision.kept()).isFalse();
    assertThat(decision.why()).contains("too few rounds");
  }

  @Test
  void noiseAloneIsHardlyEverKept() {
    int kept = 0;
    for (int seed = 0; seed < 200; seed++) {
      var random = new Random(seed);
      Function<Block, Block.Result> noise =
          block -> {
            Map<Integer, List<Double>> ratios = new LinkedHashMap<>();
            for (int value : block.values()) {
              List<Double> all = new ArrayList<>();
              // A machine on which others come and go.
              for (int i = 0; i < 12; i++) all.add(Math.exp(0.3 * random.nextGaussian()));
              ratios.put(value, all);
            }
            return new Block.Result(ratios, Map.of());
          };
      if (decide(noise).kept()) kept++;
    }
    assertThat(kept).isLessThanOrEqualTo(2);
  }

  @Test
  void winnersAreInForceForWhatComesAfterThem() {
    List<Block> seen = new ArrayList<>();
    var tuner = new Tuner(machine(_ -> 0.8, 20, seen), Progress.SILENT, 1);
    List<Decision> decisions = tuner.tune(List.of(Tunable.BAND, Tunable.FLOAT_BLOCK), List.of(), 1);
    assertThat(seen.getFirst().base()).isEqualTo(Tiling.preset(Tier.here()));
    assertThat(seen.getLast().base().get(Tunable.BAND)).isEqualTo(decisions.getFirst().best());
    assertThat(seen.getLast().base().get(Tunable.FLOAT_BLOCK)).isEqualTo(120);
  }

  @Test
  void aTableKeepsWhatWasNotMeasuredAgain() {
    Decision band = decide(machine(value -> value == 64 ? 0.9 : 1.0, 20, new ArrayList<>()));
    TilingTable first = Tuner.table(List.of(band), "a test", null);
    Path file = Tuner.write(cache, first);
    assertThat(Tuner.file(cache)).isEqualTo(file);
    assertThat(Tuner.kept(cache).choices()).singleElement().extracting("value").isEqualTo(64);
    assertThat(first.choices().getFirst().evidence()).contains("a test").contains("20 rounds");
    assertThat(Tuner.table(List.of(), "another", Tuner.kept(cache)).choices()).hasSize(1);
    Decision slower = decide(machine(_ -> 1.2, 20, new ArrayList<>()));
    assertThat(Tuner.table(List.of(slower), "again", Tuner.kept(cache)).choices()).isEmpty();
    assertThat(Tuner.reset(cache)).isTrue();
    assertThat(Tuner.reset(cache)).isFalse();
    assertThat(Tuner.kept(cache)).isNull();
  }

  @Test
  void aBlockAndItsResultArriveInAnotherProcess() {
    Tiling base = Tiling.preset(Tier.here()).with(Tunable.BAND, 64);
    List<WeightShape> shapes = WeightShape.usual(TensorType.F32, TensorType.Q4_0);
    var block = new Block(Tunable.FLOAT_BLOCK, base, List.of(60, 240), shapes, 1.5, 42);
    assertThat(Block.parse(block.words())).isEqualTo(block);
    var result =
        new Block.Result(
            Map.of(60, List.of(0.5, 1.25), 240, List.of()),
            Map.of(60, Map.of("f32 3x4 x 5", 0.75, "2 texts", 1.0)));
    assertThat(Block.Result.parse(result.text())).isEqualTo(result);
  }

  @Test
  void halfAResultIsNone() {
    String text = new Block.Result(Map.of(60, List.of(0.5, 1.25)), Map.of()).text();
    for (int end = 0; end < text.length(); end++) {
      String cut = text.substring(0, end);
      assertThatThrownBy(() -> Block.Result.parse(cut))
          .isInstanceOf(IllegalArgumentException.class);
    }
    for (String wrong :
        new String[] {"no shape", "1 of f32 0x4", "1 of i33 3x4", "1 of q8_0 3x4"}) {
      assertThatThrownBy(() -> WeightShape.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void productsAreMeasuredRoundByRound() {
    Tiling base = Tiling.preset(Tier.here());
    var shapes = List.of(new WeightShape(2, TensorType.F32, 40, 64));
    Block.Result result =
        ProductBlock.run(new Block(Tunable.BAND, base, List.of(64, 256), shapes, 0.01, 3));
    assertThat(result.ratios()).containsOnlyKeys(64, 256);
    assertThat(result.ratios().get(64)).isNotEmpty().allMatch(ratio -> ratio > 0);
    assertThat(result.ratios().get(64)).hasSameSizeAs(result.ratios().get(256));
    assertThat(result.parts().get(256)).containsOnlyKeys("f32 40x64 x 1024");
  }
}
