package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.tune.Block;
import dev.ridgeline.lab.tune.Tuner;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import dev.ridgeline.tensor.tune.Tiling;
import dev.ridgeline.tensor.tune.Tunable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TuneCommandTest {
  @TempDir private Path cache;

  private Answer tune(Object... args) {
    List<Object> all = new ArrayList<>(List.of("tune", "--cache", cache));
    all.addAll(List.of(args));
    return Answer.of(all.toArray());
  }

  @Test
  void aModelIsTunedInFreshProcesses() throws IOException {
    Path model = TinyDecoder.write(cache.resolve("tiny.gguf"));
    Answer answer = tune("-m", model, "--budget", "100ms");
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.err()).isEmpty();
    assertThat(answer.out()).contains("band  ").contains("kept in " + Tuner.file(cache));
    assertThat(Tuner.kept(cache)).isNotNull();
    assertThat(Files.readString(Tuner.file(cache))).startsWith("ridgeline tiling 1\nmachine ");
    assertThat(tune("--reset").out()).contains("forgotten");
    assertThat(tune("--reset").out()).contains("nothing was tuned");
  }

  @Test
  void aDryRunKeepsNothing() {
    Path model = TinyDecoder.write(cache.resolve("tiny.gguf"));
    Answer answer = tune("-m", model, "--budget", "50ms", "--dry-run", "--json");
    assertThat(answer.code()).as(answer.err()).isZero();
    JsonNode json = JsonMapper.shared().readTree(answer.out());
    assertThat(json.get("schema").asString()).isEqualTo("ridgeline.tuning");
    assertThat(json.get("file").asString()).isEmpty();
    for (JsonNode each : json.get("decisions")) {
      assertThat(Tunable.named(each.get("tunable").asString())).isNotNull();
      assertThat(each.get("firstRatios")).isNotEmpty();
    }
    assertThat(cache.resolve("tiles")).doesNotExist();
  }

  @Test
  void strategiesAreMeasuredWithTheModelsTexts() {
    Path model = TinyModel.bert(cache.resolve("tiny.gguf"), Map.of());
    var base = Tiling.preset(Tier.here()).with(Tunable.AUTO_COARSE, 0);
    var block = new Block(Tunable.AUTO_COARSE, base, List.of(4, 16), List.of(), 0.05, 1);
    List<Object> words = new ArrayList<>(List.of("tune-block", "--model", model));
    words.addAll(block.words());
    Answer answer = Answer.of(words.toArray());
    assertThat(answer.code()).as(answer.err()).isZero();
    Block.Result result = Block.Result.parse(answer.out());
    assertThat(result.ratios()).containsOnlyKeys(4, 16);
    // Below the threshold both are what the default is.
    assertThat(result.parts().get(16)).doesNotContainKey("2 texts");
    assertThat(result.parts().get(16).getOrDefault("8 texts", 1.0)).isEqualTo(1.0);
    assertThat(result.parts().get(4)).containsKey("64 texts");
  }

  @Test
  void whatIsWrongIsOneLine() {
    for (Object[] wrong :
        new Object[][] {
          {"--budget", "soon"},
          {"--budget", "0"},
          {"--reset", "--dry-run"},
          {"-m", cache.resolve("none.gguf")},
        }) {
      Answer answer = tune(wrong);
      assertThat(answer.code()).as("%s", List.of(wrong)).isEqualTo(2);
      assertThat(answer.err()).startsWith("ridgeline: ").hasLineCount(1);
      assertThat(answer.out()).isEmpty();
    }
    assertThat(Answer.of("tune-block", "speed").code()).isEqualTo(2);
  }
}
