package dev.ridgeline.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.GgufException;
import dev.ridgeline.train.config.TrainConfig;
import dev.ridgeline.train.config.TrainConfigFile;
import dev.ridgeline.train.data.Batches;
import dev.ridgeline.train.data.Corpus;
import dev.ridgeline.train.data.Documents;
import dev.ridgeline.train.data.Evaluation;
import dev.ridgeline.train.tokenizer.Codebook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts put together as a training does it: from a file of a few lines to ids. */
class FromConfigToBatchTest {
  @TempDir Path folder;

  @BeforeEach
  void texts() throws IOException {
    Files.createDirectories(folder.resolve("texts"));
    Files.writeString(folder.resolve("texts/b.txt"), "the other text\n".repeat(100));
    Files.writeString(folder.resolve("texts/a.jsonl"), "{\"text\": \"one story\"}\n".repeat(50));
  }

  private TrainConfig config(String tokenizer) throws IOException {
    String json =
        """
        {
          "model": {"shape": "llama", "dim": 64, "layers": 1, "heads": 2, "context": 16},
          "tokenizer": %s,
          "data": {"files": "texts/*"},
          "batch": 4, "epochs": 2
        }
        """
            .formatted(tokenizer);
    return TrainConfigFile.read(Files.writeString(folder.resolve("small.json"), json));
  }

  private static Corpus corpus(TrainConfig config) {
    Documents documents = Documents.of(config);
    Codebook codebook = Codebook.of(config, documents);
    return Corpus.read(documents, codebook.tokenizer(), config.data().evaluation());
  }

  @Test
  void bytes() throws IOException {
    TrainConfig config = config("\"bytes\"");
    Corpus corpus = corpus(config);
    // Fifty stories with their ends, then a file with its own.
    assertThat(corpus.size()).isEqualTo(50 * 10 + 1500 + 1);
    assertThat(corpus.documents()).isEqualTo(51);
    assertThat(corpus.evaluation()).isEqualTo(200);
    Batches batches = new Batches(corpus, config.batch(), config.length(), config.seed());
    int[] inputs = new int[64];
    int[] targets = new int[64];
    for (long step = batches.steps(config.epochs(), config.accumulate()); step > 0; step--) {
      batches.next(inputs, targets);
      for (int i = 0; i < 63; i++) if (i % 16 < 15) assertThat(targets[i]).isEqualTo(inputs[i + 1]);
    }
    assertThat(batches.epochs()).isBetween(2.0, 2.1);
    assertThat(new Evaluation(corpus, 4, 16).fill(0, inputs, targets)).isEqualTo(64);
    assertThat(corpus(config).checksum()).isEqualTo(corpus.checksum());
  }

  @Test
  void tokensThatAreLearned() throws IOException {
    TrainConfig config = config("{\"train\": \"bpe\", \"vocabulary\": 300}");
    Corpus corpus = corpus(config);
    // Each line is three words and its end, each story two and its own.
    assertThat(corpus.size()).isEqualTo(50 * 3 + 100 * 4 + 1);
  }

  @Test
  void tokensOfAModel() throws IOException {
    SynthModel.write(
        SynthShape.LLAMA_TINY, TensorType.F32, 1, folder.resolve("base.gguf"), _ -> {});
    TrainConfig config = config("{\"from\": \"base.gguf\"}");
    Corpus corpus = corpus(config);
    Codebook codebook = Codebook.of(config, Documents.of(config));
    assertThat(codebook.vocabulary().model()).isEqualTo("llama");
    assertThat(codebook.vocabulary().scores()).hasSize(600);
    // Llama's texts begin with a token, too.
    assertThat(corpus.get(0)).isEqualTo(codebook.tokenizer().specials().bos());
    assertThat(corpus.get(corpus.size() - 1)).isEqualTo(codebook.tokenizer().specials().eos());
    assertThatThrownBy(() -> corpus(config("{\"from\": \"none.gguf\"}")))
        .isInstanceOf(GgufException.class)
        .hasMessageContaining("none.gguf");
  }
}
