package dev.ridgeline.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.ridgeline.oracle.Allocated;
import dev.ridgeline.train.TrainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchesTest {
  @TempDir Path folder;

  private Corpus corpus(int size) throws IOException {
    return corpus(folder, size);
  }

  /** Three letters say where in the text they stand. */
  private static Corpus corpus(Path folder, int size) throws IOException {
    StringBuilder text = new StringBuilder(size);
    for (int i = 0; text.length() < size; i++) {
      text.append((char) ('!' + i / 900));
      text.append((char) ('?' + i / 30 % 30));
      text.append((char) (']' + i % 30));
    }
    Path file = Files.writeString(folder.resolve("a.txt"), text.substring(0, size));
    return Corpus.read(new Documents(List.of(file), "", "text"), WithoutEnd.tokenizer(), 0);
  }

  /** Where windows begin, each the only place in the corpus that has these ids. */
  private static int place(Corpus corpus, int[] ids, int from, int length) {
    int found = -1;
    for (int at = 0; at + length <= corpus.size(); at++) {
      int same = 0;
      while (same < length && corpus.get(at + same) == ids[from + same]) same++;
      if (same < length) continue;
      assertThat(found).isEqualTo(-1);
      found = at;
    }
    return found;
  }

  @Test
  void anEpochIsAllWindowsSideBySideEachOnce() throws IOException {
    long seed = 20261118;
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 30; round++) {
      int length = 8 + random.nextInt(20);
      Corpus corpus = corpus(length + 1 + random.nextInt(length * 40));
      Batches batches = new Batches(corpus, 1, length, random.nextLong());
      String as = "seed %d, round %d".formatted(seed, round);
      int[] inputs = new int[length];
      int[] targets = new int[length];
      for (int epoch = 0; epoch < 3; epoch++) {
        Set<Integer> places = new HashSet<>();
        for (int i = 0; i < batches.windows(); i++) {
          assertThat(batches.position())
              .isEqualTo(
                  epoch > 0 && i == 0
                      ? new Position(epoch - 1, batches.windows())
                      : new Position(epoch, i));
          batches.next(inputs, targets);
          int at = place(corpus, inputs, 0, length);
          assertThat(place(corpus, targets, 0, length)).as(as).isEqualTo(at + 1);
          assertThat(places.add(at)).as(as).isTrue();
        }
        int first = places.stream().min(Integer::compare).orElseThrow();
        for (int i = 0; i < batches.windows(); i++) {
          assertThat(places).as(as).contains(first + i * length);
        }
        int leftOut = corpus.size() - 1 - batches.windows() * length;
        assertThat(leftOut).as(as).isBetween(0, 2 * length - 1);
      }
    }
  }

  @Test
  void eachEpochCutsElsewhereAndInAnotherOrder() throws IOException {
    Corpus corpus = corpus(1000);
    Batches batches = new Batches(corpus, 1, 20, 5);
    Set<Integer> offsets = new HashSet<>();
    Set<Integer> firsts = new HashSet<>();
    int[] inputs = new int[20];
    int[] targets = new int[20];
    for (int epoch = 0; epoch < 50; epoch++) {
      for (int i = 0; i < batches.windows(); i++) {
        batches.next(inputs, targets);
        if (i > 0) continue;
        int at = place(corpus, inputs, 0, 20);
        offsets.add(at % 20);
        firsts.add(at / 20);
      }
    }
    assertThat(offsets).hasSizeGreaterThan(12);
    assertThat(firsts).hasSizeGreaterThan(20);
  }

  @Test
  void theOrderIsTheSeedsAlone() throws IOException {
    Corpus corpus = corpus(3000);
    List<int[]> one = take(new Batches(corpus, 4, 16, 9), 200, 64);
    assertThat(take(new Batches(corpus, 4, 16, 9), 200, 64))
        .usingRecursiveComparison()
        .isEqualTo(one);
    assertThat(take(new Batches(corpus, 4, 16, 10), 1, 64).getFirst()).isNotEqualTo(one.getFirst());
    // Twice as large batches are the same windows.
    int[] two = take(new Batches(corpus, 8, 16, 9), 1, 128).getFirst();
    int[] both = new int[128];
    System.arraycopy(one.get(0), 0, both, 0, 64);
    System.arraycopy(one.get(1), 0, both, 64, 64);
    assertThat(two).isEqualTo(both);
  }

  @Test
  void theyGoOnFromAnyPositionExactly() throws IOException {
    long seed = 20261119;
    SplittableRandom random = new SplittableRandom(seed);
    Corpus corpus = corpus(2000);
    List<int[]> whole = take(new Batches(corpus, 3, 32, 1), 120, 96);
    for (int round = 0; round < 50; round++) {
      int stop = random.nextInt(100);
      Batches before = new Batches(corpus, 3, 32, 1);
      take(before, stop, 96);
      Batches after = new Batches(corpus, 3, 32, 1);
      take(after, random.nextInt(10), 96);
      after.restore(before.position());
      assertThat(after.epochs()).isEqualTo(before.epochs());
      List<int[]> rest = take(after, 20, 96);
      for (int i = 0; i < 20; i++) {
        assertThat(rest.get(i)).as("seed %d, stop %d", seed, stop).isEqualTo(whole.get(stop + i));
      }
    }
    assertThatThrownBy(() -> new Batches(corpus, 3, 32, 1).restore(new Position(0, 9999)))
        .isInstanceOf(TrainException.class)
        .hasMessageContaining("it belongs to other texts");
  }

  @Test
  void epochsAreSoManySteps() throws IOException {
    Batches batches = new Batches(corpus(1001), 4, 10, 1);
    assertThat(batches.windows()).isEqualTo(99);
    assertThat(batches.steps(1, 1)).isEqualTo(25);
    assertThat(batches.steps(2, 1)).isEqualTo(50);
    assertThat(batches.steps(2, 5)).isEqualTo(10);
    assertThat(batches.steps(0.001, 1)).isEqualTo(1);
  }

  @Test
  void evaluationIsWholeAndInOrder() throws IOException {
    Path file = folder.resolve("a.txt");
    corpus(1000);
    Corpus corpus =
        Corpus.read(new Documents(List.of(file), "", "text"), WithoutEnd.tokenizer(), 0.1);
    Evaluation evaluation = new Evaluation(corpus, 2, 16);
    assertThat(evaluation.targets()).isEqualTo(99);
    assertThat(evaluation.batches()).isEqualTo(4);
    int[] inputs = new int[32];
    int[] targets = new int[32];
    int seen = 0;
    for (int batch = 0; batch < 4; batch++) {
      int count = evaluation.fill(batch, inputs, targets);
      for (int i = 0; i < 32; i++) {
        if (i < count) {
          assertThat(inputs[i]).isEqualTo(corpus.get(900 + seen));
          assertThat(targets[i]).isEqualTo(corpus.get(900 + ++seen));
        } else {
          assertThat(targets[i]).isEqualTo(-1);
        }
      }
    }
    assertThat(seen).isEqualTo(99);
    assertThatThrownBy(() -> evaluation.fill(4, inputs, targets))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(new Evaluation(corpus(1000), 2, 16).batches()).isZero();
  }

  @Test
  @Tag("own-jvm")
  void nothingIsAllocated() {
    assertThat(Allocated.by(TakenAgain.class, folder.toString()))
        .containsExactly(entry("200 batches and some epochs", 0L));
  }

  static final class TakenAgain {
    public static void main(String[] arguments) throws IOException {
      Batches batches = new Batches(corpus(Path.of(arguments[0]), 2000), 4, 32, 1);
      int[] inputs = new int[128];
      int[] targets = new int[128];
      Allocated.again(
          "200 batches and some epochs",
          () -> {
            for (int i = 0; i < 200; i++) batches.next(inputs, targets);
          });
    }
  }

  private static List<int[]> take(Batches batches, int count, int size) {
    List<int[]> taken = new ArrayList<>();
    int[] targets = new int[size];
    for (int i = 0; i < count; i++) {
      int[] inputs = new int[size];
      batches.next(inputs, targets);
      taken.add(inputs);
    }
    return taken;
  }
}
