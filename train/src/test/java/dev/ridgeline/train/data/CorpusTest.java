package dev.ridgeline.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.tokenizer.Codebook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CorpusTest {
  private static final int END = 256;

  @TempDir Path folder;

  @Test
  void documentsAreJoinedByTheTokenThatEndsThem() throws IOException {
    Corpus corpus = corpus("ab|é|<|endoftext|>".replace("|é|", "\u0000é\u0000"), 0);
    assertThat(corpus.documents()).isEqualTo(3);
    assertThat(ids(corpus).limit(8))
        .containsExactly((int) 'a', (int) 'b', END, 0xc3, 0xa9, END, (int) '<', (int) '|');
    assertThat(corpus.get(corpus.size() - 1)).isEqualTo(END);
    // Words that are spelled like the token are words.
    assertThat(corpus.size()).isEqualTo(3 + 3 + 14);
  }

  @Test
  void theLastPartIsForEvaluationWhole() throws IOException {
    Corpus corpus = corpus("x".repeat(999), 0.1);
    assertThat(corpus.size()).isEqualTo(1000);
    assertThat(corpus.training()).isEqualTo(900);
    assertThat(corpus.evaluation()).isEqualTo(100);
    assertThat(corpus("x".repeat(999), 0).evaluation()).isZero();
  }

  @Test
  void theChecksumChangesWithAnyId() throws IOException {
    long sum = corpus("some text", 0).checksum();
    assertThat(corpus("some text", 0.5).checksum()).isEqualTo(sum);
    assertThat(corpus("some tezt", 0).checksum()).isNotEqualTo(sum);
    assertThat(corpus("some text ", 0).checksum()).isNotEqualTo(sum);
  }

  @Test
  void tooFewTokensAreRefused() throws IOException {
    Path file = folder.resolve("a.txt");
    assertThatThrownBy(() -> corpus("abc", 0.1))
        .isInstanceOf(TrainException.class)
        .hasMessage(file + ": 0 of 4 tokens are for evaluation, at least 2 are needed");
    Corpus small = corpus("abcdefg", 0);
    assertThatThrownBy(() -> new Batches(small, 1, 8, 1))
        .isInstanceOf(TrainException.class)
        .hasMessage(file + ": only 8 tokens to train on, a sequence of 8 needs 9");
    assertThat(new Batches(small, 1, 7, 1).windows()).isEqualTo(1);
  }

  @Test
  void oneTokenInAllIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), "x");
    Documents documents = new Documents(List.of(file), "", "text");
    assertThatThrownBy(() -> Corpus.read(documents, WithoutEnd.tokenizer(), 0))
        .isInstanceOf(TrainException.class)
        .hasMessage(file + ": only 1 token: there is nothing to predict");
  }

  @Test
  void idsOfLargeVocabulariesAreKept() {
    for (int vocabulary : new int[] {65_536, 65_537}) {
      Ids ids = new Ids(vocabulary);
      for (int i = 0; i < 10_000; i++) assertThat(ids.add(vocabulary - 1 - i)).isTrue();
      ids.trim();
      int[] copied = new int[102];
      ids.copy(5000, 100, copied, 1);
      for (int i = 0; i < 100; i++) {
        assertThat(copied[i + 1]).isEqualTo(vocabulary - 1 - 5000 - i);
        assertThat(ids.get(5000 + i)).isEqualTo(copied[i + 1]);
      }
      assertThat(copied[0]).isZero();
      assertThat(copied[101]).isZero();
    }
  }

  private Corpus corpus(String text, double evaluation) throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), text);
    Documents documents = new Documents(List.of(file), "\u0000", "text");
    return Corpus.read(documents, Codebook.bytes().tokenizer(), evaluation);
  }

  private static IntStream ids(Corpus corpus) {
    return IntStream.range(0, corpus.size()).map(corpus::get);
  }
}
