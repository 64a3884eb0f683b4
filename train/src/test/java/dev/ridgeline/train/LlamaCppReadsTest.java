package dev.ridgeline.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.oracle.LlamaDecoder;
import dev.ridgeline.oracle.LlamaModel;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.train.config.TrainConfig;
import dev.ridgeline.train.config.TrainConfigFile;
import dev.ridgeline.train.data.Corpus;
import dev.ridgeline.train.loop.Training;
import dev.ridgeline.train.loop.Watcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A trained model is a file to llama.cpp, too, with the loss that training saw. */
class LlamaCppReadsTest {
  private static final int LENGTH = 16;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "llama | \"bytes\"",
        "gpt2 | \"bytes\"",
        "llama | {\"train\": \"bpe\", \"vocabulary\": 280}"
      })
  void theEvaluationIsTheSame(String shape, String tokenizer) throws IOException {
    Files.writeString(
        folder.resolve("texts.txt"), "the quick brown fox and the lazy dog\n".repeat(20));
    TrainConfig config =
        TrainConfigFile.read(
            Files.writeString(
                folder.resolve("small.json"),
                """
                {
                  "model": {"shape": "%s", "dim": 32, "layers": 2, "heads": 2, "context": %d},
                  "tokenizer": %s,
                  "data": {"files": "texts.txt"},
                  "batch": 4, "steps": 30, "optimizer": {"rate": 0.01},
                  "sample": {"tokens": 0}
                }
                """
                    .formatted(shape, LENGTH, tokenizer)));
    try (Device device = Device.cpu(2);
        Training training =
            new Training(config, folder.resolve("out"), device, false, Watcher.NOBODY)) {
      training.run(() -> false);
      assertThat(theirs(training)).isCloseTo(training.evaluation(), within(2e-3));
    }
  }

  /** The mean loss over windows of the texts that are not trained on. */
  private static double theirs(Training training) {
    Corpus corpus = training.corpus();
    double sum = 0;
    int count = 0;
    try (LlamaModel model = LlamaModel.load(training.model());
        LlamaDecoder decoder = new LlamaDecoder(model, LENGTH)) {
      assertThat(model.tokens()).isEqualTo(training.net().vocabulary());
      for (int from = corpus.training(); from < corpus.size() - 1; from += LENGTH) {
        int[] tokens = new int[Math.min(LENGTH, corpus.size() - 1 - from)];
        for (int i = 0; i < tokens.length; i++) tokens[i] = corpus.get(from + i);
        decoder.clear();
        float[][] logits = decoder.decode(tokens);
        for (int i = 0; i < tokens.length; i++) sum += loss(logits[i], corpus.get(from + i + 1));
        count += tokens.length;
      }
    }
    return sum / count;
  }

  private static double loss(float[] logits, int target) {
    double sum = 0;
    for (float logit : logits) sum += Math.exp(logit - logits[target]);
    return Math.log(sum);
  }
}
