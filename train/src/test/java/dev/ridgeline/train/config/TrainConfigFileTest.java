package dev.ridgeline.train.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.train.Schedule.Kind;
import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.config.ModelConfig.Architecture;
import dev.ridgeline.train.net.Kept;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainConfigFileTest {
  private static final String SMALLEST =
      """
      {
        "model": {"shape": "llama", "dim": 128, "layers": 4, "heads": 4, "context": 128},
        "tokenizer": "bytes",
        "data": {"files": "shakespeare.txt"},
        "steps": 2000
      }
      """;

  private static final String FULL =
      """
      {
        "name": "stories",
        "model": {"shape": "gpt2", "dim": 96, "layers": 2, "heads": 3, "context": 64, "tied": false},
        "tokenizer": {"train": "bpe", "vocabulary": 512},
        "data": {
          "files": ["a.txt", "more/*.jsonl"],
          "separator": "<|endoftext|>",
          "field": "story",
          "evaluation": 0.05
        },
        "batch": 8, "length": 32, "accumulate": 4, "epochs": 1.5, "shards": 4,
        "optimizer": {
          "rate": 3e-4,
          "schedule": "linear",
          "warmup": 10
        },
        "seed": -3,
        "evaluate": {"every": 10},
        "checkpoint": {"every": 20, "keep": 3},
        "sample": {"every": 30, "prompt": "Once", "tokens": 7, "temperature": 0},
        "storage": "bf16", "recompute": false, "strategy": "coarse"
      }
      """;

  @TempDir Path folder;

  @Test
  void sixLinesAreEnough() throws IOException {
    TrainConfig config = read("shakespeare.json", SMALLEST);
    assertThat(config.name()).isEqualTo("shakespeare");
    assertThat(config.model())
        .isEqualTo(new ModelConfig.Fresh(Architecture.LLAMA, 128, 4, 4, 4, 352, 128, true));
    assertThat(config.length()).isEqualTo(128);
    assertThat(config.optimizer().minimumRate()).isEqualTo(1e-4);
    assertThat(config.optimizer().warmup()).isEqualTo(100);
    assertThat(config.resolve("shakespeare.txt")).isEqualTo(folder.resolve("shakespeare.txt"));
  }

  @Test
  void everyKeyIsRead() throws IOException {
    TrainConfig config = read("x.json", FULL);
    assertThat(config.name()).isEqualTo("stories");
    assertThat(config.model())
        .isEqualTo(new ModelConfig.Fresh(Architecture.GPT2, 96, 2, 3, 3, 384, 64, false));
    assertThat(config.tokenizer()).isEqualTo(new TokenizerConfig.Trained(512));
    assertThat(config.data())
        .isEqualTo(
            new DataConfig(List.of("a.txt", "more/*.jsonl"), "<|endoftext|>", "story", 0.05));
    assertThat(List.of(config.batch(), config.length(), config.accumulate(), config.shards()))
        .containsExactly(8, 32, 4, 4);
    assertThat(config.steps()).isZero();
    assertThat(config.epochs()).isEqualTo(1.5);
    assertThat(config.optimizer())
        .isEqualTo(new OptimizerConfig(3e-4, 3e-4 / 10, Kind.LINEAR, 10, 0.9, 0.99, 1e-8, 0.1, 1));
    assertThat(config.seed()).isEqualTo(-3);
    assertThat(config.evaluate()).isEqualTo(new EvaluateConfig(10));
    assertThat(config.checkpoint()).isEqualTo(new CheckpointConfig(20, 3));
    assertThat(config.sample()).isEqualTo(new SampleConfig(30, "Once", 7, 0));
    assertThat(config.storage()).isEqualTo(Storage.BF16);
    assertThat(config.kept()).isEqualTo(Kept.HALVES);
    config = read("x.json", FULL.replace("bf16", "f32").replace("false, \"strat", "true, \"strat"));
    assertThat(config.kept()).isEqualTo(Kept.INPUTS);
    assertThat(config.strategy().word()).isEqualTo("coarse");
  }

  @Test
  void aModelThatLearnsOnBringsItsTokenizer() throws IOException {
    TrainConfig config =
        read(
            "on.json",
            """
            {"model": {"file": "base.gguf"}, "data": {"files": "a.txt"}, "length": 256, "epochs": 1}
            """);
    assertThat(config.model()).isEqualTo(new ModelConfig.Continued("base.gguf"));
    assertThat(config.tokenizer()).isEqualTo(new TokenizerConfig.Taken("base.gguf"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"rate\": 3e-4           | \"betta2\": 0.9      | 13: optimizer.betta2: unknown key (did"
            + " you mean beta2?)",
        "\"rate\": 3e-4           | \"rate\": \"high\"   | 13: optimizer.rate: must be a number",
        "\"rate\": 3e-4           | \"rate\": 0          | 13: optimizer.rate: must be above 0 and"
            + " at most 1, is 0",
        "\"rate\": 3e-4           | \"minimumRate\": 0.1 | 13: optimizer.minimumRate: 0.1 is above"
            + " the rate of 0.001",
        "\"linear\"               | \"square\"           | 14: optimizer.schedule: 'square' is not"
            + " one of constant, linear, cosine",
        "\"warmup\": 10           | \"warmup\": 10.5     | 15: optimizer.warmup: must be a whole"
            + " number",
        "\"heads\": 3             | \"heads\": 5         | 3: model.heads: 96 is not divisible by"
            + " 5 heads",
        "\"heads\": 3             | \"head\": 3          | 3: model.head: unknown key (did you mean"
            + " heads?)",
        "\"heads\": 3, \"context\"| \"context\"          | 3: model.heads: missing",
        "\"tied\": false          | \"keyHeads\": 1      | 3: model.keyHeads: gpt2 needs a key"
            + " head for each head",
        "\"vocabulary\": 512      | \"vocabulary\": 256  | 4: tokenizer.vocabulary: must be 257 to"
            + " 1000000, is 256",
        "\"train\": \"bpe\"       | \"train\": \"words\" | 4: tokenizer.train: 'words' is not one"
            + " of bpe",
        "\"field\": \"story\"     | \"field\": \"\"      | 8: data.field: is empty",
        "[\"a.txt\", \"more/*.jsonl\"] | [1]             | 6: data.files: must be a text or a list"
            + " of texts",
        "[\"a.txt\", \"more/*.jsonl\"] | []              | 6: data.files: none",
        "\"evaluation\": 0.05     | \"evaluation\": 1    | 9: data.evaluation: must be 0 to 0.9, is"
            + " 1",
        "\"length\": 32           | \"length\": 65       | 11: length: 65 is above the context of"
            + " 64",
        "\"shards\": 4            | \"shards\": 9        | 11: shards: 8 sequences cannot be"
            + " divided into 9 equal shards",
        "\"shards\": 4            | \"shards\": 3        | 11: shards: 8 sequences cannot be"
            + " divided into 3 equal shards",
        "\"epochs\": 1.5          | \"epochs\": 0        | 11: epochs: must be above 0 and at most"
            + " 1000000, is 0",
        "\"epochs\": 1.5          | \"epochs\": 1, \"steps\": 5 | 11: epochs: give steps or epochs,"
            + " not both",
        "\"epochs\": 1.5, \"shards\" | \"shards\"        | 1: steps: give steps or epochs",
        "\"epochs\": 1.5          | \"steps\": 9         | 15: optimizer.warmup: 10 of 9 steps",
        "\"batch\": 8             | \"batch\": 99999999999 | 11: batch: 99999999999 is out of"
            + " range",
        "\"seed\": -3             | \"seed\": null       | 17: seed: must be a whole number",
        "\"recompute\": false     | \"recompute\": \"yes\" | 21: recompute: must be true or false",
        "\"recompute\": false     | \"recompute\": true | 21: storage: with recompute no"
            + " activations are kept",
        "\"coarse\"               | \"rough\"            | 21: strategy: 'rough' is not one of"
            + " fine, coarse, packed, auto",
        "\"name\": \"stories\"    | \"name\": \"a/b\"    | 2: name: letters, digits and . _ -: it"
            + " names files",
        "\"name\": \"stories\"    | \"name\": \"a\", \"name\": \"b\" | 2: duplicate key 'name'",
        "\"storage\": \"bf16\"    | \"storag\": \"bf16\" | 21: storag: unknown key (did you mean"
            + " storage?)"
      })
  void whatIsWrongIsNamedByFileLineAndKey(String right, String wrong, String message)
      throws IOException {
    assertThat(FULL).contains(right);
    Path file = folder.resolve("x.json");
    assertThatThrownBy(() -> read("x.json", FULL.replace(right, wrong)))
        .isInstanceOf(TrainException.class)
        .hasMessage(file + ":" + message);
  }

  @Test
  void aFileThatIsNoConfigurationSaysSo() throws IOException {
    assertThatThrownBy(() -> TrainConfigFile.read(folder.resolve("none.json")))
        .hasMessageEndingWith("none.json: no such file or directory");
    assertThatThrownBy(() -> TrainConfigFile.read(folder)).hasMessageEndingWith("is a directory");
    assertThatThrownBy(() -> read("x.json", "[]")).hasMessageEndingWith("not a JSON object");
    assertThatThrownBy(() -> read("x.json", "")).hasMessageEndingWith("not a JSON object");
    assertThatThrownBy(() -> read("x.json", SMALLEST.substring(0, 60)))
        .hasMessageContaining("x.json:2: ends too early");
    assertThatThrownBy(() -> read("x.json", SMALLEST + "{}"))
        .hasMessageEndingWith("x.json:7: unexpected text after the object");
    assertThatThrownBy(() -> read("a b.json", SMALLEST))
        .hasMessageEndingWith(":1: name: missing, and the name of the file cannot be used");
  }

  @Test
  void aDamagedFileIsRefusedInOneLineOrStillIsAConfiguration() throws IOException {
    long seed = 20261116;
    SplittableRandom random = new SplittableRandom(seed);
    byte[] good = FULL.getBytes(StandardCharsets.UTF_8);
    int refused = 0;
    for (int i = 0; i < 3000; i++) {
      byte[] bytes = good.clone();
      for (int n = random.nextInt(3); n >= 0; n--) {
        int at = random.nextInt(bytes.length);
        if (random.nextInt(8) == 0) bytes = Arrays.copyOf(bytes, Math.max(1, at));
        else if (random.nextBoolean()) bytes[at] = (byte) random.nextInt(256);
        else bytes[at] = (byte) "{}[]\",:019-eE.\\tn".charAt(random.nextInt(17));
      }
      Path file = Files.write(folder.resolve("x.json"), bytes);
      try {
        assertThat(TrainConfigFile.read(file)).isNotNull();
      } catch (TrainException e) {
        refused++;
        assertThat(e.getMessage()).as("seed %d, file %d", seed, i).doesNotContain("\n");
      }
    }
    assertThat(refused).isGreaterThan(1000);
  }

  @Test
  void theDigestTellsTrainingsApartThatEndWithOtherWeights() throws IOException {
    String digest = read("x.json", FULL).digest();
    assertThat(digest).matches("[0-9a-f]{16}");
    for (String same :
        List.of("\"name\": \"stories\"", "\"keep\": 3", "\"every\": 10", "\"coarse\"")) {
      String changed =
          same.contains("name")
              ? "\"name\": \"other\""
              : same.contains("coarse") ? "\"fine\"" : same.replaceFirst("\\d+", "5");
      assertThat(read("y.json", FULL.replace(same, changed)).digest()).isEqualTo(digest);
    }
    for (String other : List.of("\"seed\": -3", "\"batch\": 8", "\"epochs\": 1.5", "3e-4")) {
      String changed = FULL.replace(other, other.replaceFirst("\\d", "4"));
      assertThat(read("x.json", changed).digest()).as(other).isNotEqualTo(digest);
    }
  }

  private TrainConfig read(String name, String json) throws IOException {
    return TrainConfigFile.read(Files.writeString(folder.resolve(name), json));
  }
}
