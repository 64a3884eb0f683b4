package dev.ridgeline.model.generate;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.oracle.Allocated;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The front door: the same text alone and beside others, shared beginnings, clean ends. */
class GeneratorTest {
  @TempDir private static Path folder;
  private static Path model;

  private static final GeneratorOptions ONE =
      GeneratorOptions.DEFAULT.withWorkers(2).withCache(TensorType.F32);

  @BeforeAll
  static void makeModel() {
    model = folder.resolve("tiny.gguf");
    SynthModel.write(SynthShape.LLAMA_TINY, TensorType.F32, 1, model, _ -> {});
  }

  private static int[][] prompts(int seed, int... lengths) {
    SplittableRandom random = new SplittableRandom(seed);
    int[][] prompts = new int[lengths.length][];
    for (int i = 0; i < lengths.length; i++) {
      prompts[i] = random.ints(lengths[i], 300, 600).toArray();
    }
    return prompts;
  }

  private static List<int[]> ids(List<Completion> completions) {
    return completions.stream().map(Completion::ids).toList();
  }

  private static List<int[]> alone(int[][] prompts, Sampling sampling) {
    List<int[]> ids = new ArrayList<>();
    for (int[] prompt : prompts) {
      try (Generator generator = Generator.open(model, ONE)) {
        ids.add(generator.generate(new int[][] {prompt}, sampling, Listener.DEAF).getFirst().ids());
      }
    }
    return ids;
  }

  @Test
  void eachOfEightSequencesIsWhatItIsAlone() {
    int[][] prompts = prompts(1, 1, 40, 7, 33, 64, 2, 100, 31);
    for (Sampling sampling : List.of(Sampling.GREEDY, Sampling.DEFAULT)) {
      Sampling some = sampling.withMaxTokens(20);
      List<int[]> alone = alone(prompts, some);
      for (GeneratorOptions options :
          List.of(
              ONE.withSequences(8),
              ONE.withSequences(3).withBatch(16),
              ONE.withSequences(8).withWorkers(1).withBatch(5))) {
        try (Generator generator = Generator.open(model, options)) {
          List<int[]> together = ids(generator.generate(prompts, some, Listener.DEAF));
          for (int i = 0; i < prompts.length; i++) {
            assertThat(together.get(i)).as("%s, prompt %d", options, i).isEqualTo(alone.get(i));
          }
        }
      }
    }
  }

  @Test
  void promptsThatBeginAlikeShareTheirBeginning() {
    int[][] tails = prompts(2, 5, 9, 1, 40);
    int[] head = prompts(3, 70)[0];
    int[][] prompts = new int[tails.length][];
    for (int i = 0; i < tails.length; i++) {
      prompts[i] = Arrays.copyOf(head, head.length + tails[i].length);
      System.arraycopy(tails[i], 0, prompts[i], head.length, tails[i].length);
    }
    Sampling some = Sampling.GREEDY.withMaxTokens(12);
    List<int[]> alone = alone(prompts, some);
    try (Generator generator = Generator.open(model, ONE.withSequences(4))) {
      List<Completion> together = generator.generate(prompts, some, Listener.DEAF);
      // Two whole pages of 32 each, but for the first, which reads them.
      assertThat(together.stream().map(Completion::sharedTokens)).containsExactly(0, 64, 64, 64);
      for (int i = 0; i < prompts.length; i++) {
        assertThat(ids(together).get(i)).isEqualTo(alone.get(i));
      }
      // And once more: now nearly all of it is there.
      List<Completion> again = generator.generate(prompts, some, Listener.DEAF);
      for (int i = 0; i < prompts.length; i++) {
        assertThat(ids(again).get(i)).isEqualTo(alone.get(i));
        assertThat(again.get(i).sharedTokens()).isGreaterThanOrEqualTo(64);
      }
    }
  }

  @Test
  void randomPromptsInRandomCallsAreWhatTheyAreAlone() {
    SplittableRandom random = new SplittableRandom(11);
    int[] stem = prompts(4, 120)[0];
    Sampling some = Sampling.DEFAULT.withMaxTokens(6);
    try (Generator busy = Generator.open(model, ONE.withSequences(3).withBatch(24));
        Generator fresh = Generator.open(model, ONE)) {
      for (int call = 0; call < 25; call++) {
        int[][] prompts = new int[random.nextInt(1, 6)][];
        for (int i = 0; i < prompts.length; i++) {
          prompts[i] = Arrays.copyOf(stem, random.nextInt(1, stem.length));
          if (random.nextBoolean()) prompts[i][prompts[i].length - 1] = random.nextInt(300, 600);
        }
        List<Completion> completions = busy.generate(prompts, some, Listener.DEAF);
        for (int i = 0; i < prompts.length; i++) {
          // A token that no prompt begins with, so that nothing can be shared.
          fresh.generate(new int[][] {{1 + i}}, some.withMaxTokens(1), Listener.DEAF);
          Completion alone =
              fresh.generate(new int[][] {prompts[i]}, some, Listener.DEAF).getFirst();
          assertThat(alone.sharedTokens()).isZero();
          assertThat(completions.get(i).ids())
              .as("call %d, prompt %d", call, i)
              .isEqualTo(alone.ids());
        }
      }
    }
  }

  @Test
  @Tag("own-jvm")
  void aWarmGeneratorAllocatesNothingPerToken() {
    assertThat(Allocated.by(GeneratedAgain.class, model.toString()))
        .containsExactly(entry("greedy", 0L), entry("with penalties", 0L));
  }

  static final class GeneratedAgain {
    public static void main(String[] arguments) {
      count(arguments[0], "greedy", Sampling.GREEDY);
      count(arguments[0], "with penalties", Sampling.DEFAULT.withRepeatPenalty(1.1f, 64));
    }

    private static void count(String model, String what, Sampling sampling) {
      int[][] prompts = prompts(5, 20, 30);
      Sampling some = sampling.withMaxTokens(100);
      GeneratorOptions options = ONE.withWorkers(1).withSequences(2);
      try (Generator generator = Generator.open(Path.of(model), options)) {
        Profiler.start(Options.of(Level.ALLOCATION));
        // From the second call on, the prompts share what an earlier one has left.
        for (int i = 0; i < 2; i++) generator.generate(prompts, some, Listener.DEAF);
        long before = allocated(Profiler.snapshot());
        generator.generate(prompts, some, Listener.DEAF);
        Allocated.print(what, allocated(Profiler.stop()) - before);
      }
    }
  }

  /** Inside the passes; a call's own result is no part of them. */
  private static long allocated(Profile profile) {
    long sum = 0;
    for (String pass : List.of("prefill", "decode")) {
      sum += Math.max(0, profile.tree().find(pass).allocatedBytes());
    }
    return sum;
  }

  @Test
  void aTextEndsWhereItShould() {
    int[][] prompt = prompts(6, 10);
    try (Generator generator = Generator.open(model, ONE.withContext(64))) {
      Completion full =
          generator.generate(prompt, Sampling.GREEDY.withMaxTokens(0), Listener.DEAF).getFirst();
      assertThat(full.finish()).isIn(Finish.CONTEXT, Finish.END);
      assertThat(full.ids().length).isLessThanOrEqualTo(54);
      Completion cut =
          generator.generate(prompt, Sampling.GREEDY.withMaxTokens(3), Listener.DEAF).getFirst();
      assertThat(cut.finish()).isEqualTo(Finish.LENGTH);
      assertThat(cut.ids()).hasSize(3).isEqualTo(Arrays.copyOf(full.ids(), 3));
      String text = full.text();
      String stop = text.substring(text.length() / 2, text.length() / 2 + 2);
      StringBuilder heard = new StringBuilder();
      Completion stopped =
          generator
              .generate(
                  prompt,
                  Sampling.GREEDY.withMaxTokens(0).withStop(List.of(stop)),
                  (_, all, from, to) -> heard.append(all, from, to) != null)
              .getFirst();
      assertThat(stopped.finish()).isEqualTo(Finish.STOP);
      assertThat(stopped.text()).isEqualTo(text.substring(0, text.indexOf(stop)));
      assertThat(heard.toString()).isEqualTo(stopped.text());
    }
  }

  @Test
  void aListenerThatWantsNoMoreIsHeard() {
    try (Generator generator = Generator.open(model, ONE.withSequences(2))) {
      int[][] prompts = prompts(7, 5, 6, 7);
      List<Completion> completions =
          generator.generate(
              prompts,
              Sampling.GREEDY.withMaxTokens(30),
              (prompt, _, _, to) -> prompt != 0 || to < 4);
      assertThat(completions.get(0).finish()).isEqualTo(Finish.CANCELLED);
      assertThat(completions.get(1).finish()).isEqualTo(Finish.LENGTH);
      assertThat(completions.get(2).finish()).isEqualTo(Finish.LENGTH);
      List<Integer> heard = new ArrayList<>();
      List<Completion> none =
          generator.generate(
              prompts,
              Sampling.GREEDY.withMaxTokens(30),
              (prompt, _, _, _) -> {
                heard.add(prompt);
                generator.cancel();
                return true;
              });
      assertThat(none.stream().map(Completion::finish)).containsOnly(Finish.CANCELLED);
      assertThat(none.get(2).ids()).isEmpty();
      assertThat(heard).as("no token comes behind the end").hasSize(1);
      // And nothing of it stays.
      assertThat(generator.generate(prompts, Sampling.GREEDY.withMaxTokens(4), Listener.DEAF))
          .allSatisfy(completion -> assertThat(completion.ids()).hasSize(4));
    }
  }

  @Test
  void aThousandSessionsLeaveNothingBehind() {
    SplittableRandom random = new SplittableRandom(9);
    try (Generator generator = Generator.open(model, ONE.withSequences(2).withContext(96))) {
      for (int session = 0; session < 1_000; session++) {
        int[][] prompts = prompts(session, random.nextInt(1, 95), random.nextInt(1, 40));
        boolean broken = random.nextInt(10) == 0;
        Listener listener =
            (_, _, _, _) -> {
              if (broken) throw new IllegalStateException("hung up");
              return random.nextInt(8) != 0;
            };
        try {
          generator.generate(prompts, Sampling.DEFAULT.withMaxTokens(2), listener);
        } catch (IllegalStateException e) {
          assertThat(e).hasMessage("hung up");
        }
        assertThat(generator.heldPages()).isLessThanOrEqualTo(6);
      }
      generator.forget();
      assertThat(generator.heldPages()).isZero();
    }
  }

  @Test
  void questionsThatMakeNoSenseAreRefusedInOneLine() {
    try (Generator generator = Generator.open(model, ONE.withContext(32))) {
      Sampling some = Sampling.GREEDY;
      assertThatThrownBy(() -> generator.generate(prompts(1, 32), some, Listener.DEAF))
          .isInstanceOf(ModelException.class)
          .hasMessage("the prompt has 32 tokens, the context holds 32 and one must be free");
      assertThatThrownBy(() -> generator.generate(prompts(1, 4, 33), some, Listener.DEAF))
          .hasMessageContaining("prompt 2 has 33 tokens");
      assertThatThrownBy(() -> generator.generate(new int[][] {{}}, some, Listener.DEAF))
          .hasMessage("the prompt is empty");
      assertThatThrownBy(() -> generator.generate(new int[][] {{600}}, some, Listener.DEAF))
          .hasMessageContaining("token 600 of 600");
      assertThatThrownBy(() -> generator.generate(List.of("a", "b\ud83d"), some, Listener.DEAF))
          .isInstanceOf(ModelException.class)
          .hasMessage("prompt 2 has half a character, \\uD800 to \\uDFFF, at index 1");
      assertThatThrownBy(() -> generator.generate((String) null, some))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("the prompt is null");
      assertThatThrownBy(() -> generator.generate(new int[][] {{1}, null}, some, Listener.DEAF))
          .hasMessage("prompt 2 is null");
      assertThat(generator.generate(List.of(), some, Listener.DEAF)).isEmpty();
      assertThatThrownBy(generator::template).hasMessageContaining("no chat template");
    }
    assertThatThrownBy(() -> Generator.open(model, ONE.withContext(257)))
        .hasMessageContaining("made for 256");
    Generator closed = Generator.open(model, ONE);
    closed.close();
    closed.close();
    assertThatThrownBy(() -> closed.generate("x")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aListenerMayNotAskWhileItListens() {
    try (Generator generator = Generator.open(model, ONE)) {
      Listener asking =
          (_, _, _, _) -> {
            generator.forget();
            return true;
          };
      assertThatThrownBy(() -> generator.generate(prompts(1, 5), Sampling.GREEDY, asking))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("listens to");
      assertThat(generator.generate(prompts(1, 5), Sampling.GREEDY, Listener.DEAF)).hasSize(1);
    }
  }

  @Test
  void damagedWeightsAreNoticed() throws IOException {
    Path damaged = folder.resolve("damaged.gguf");
    Files.copy(model, damaged);
    long offset;
    try (Gguf file = Gguf.open(damaged)) {
      MemorySegment data = file.tensor("output_norm.weight").data();
      offset = find(damaged, data);
    }
    try (Arena arena = Arena.ofConfined();
        FileChannel channel =
            FileChannel.open(damaged, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      channel
          .map(MapMode.READ_WRITE, 0, channel.size(), arena)
          .set(JAVA_FLOAT_UNALIGNED, offset, Float.NaN);
    }
    try (Generator generator = Generator.open(damaged, ONE)) {
      assertThatThrownBy(() -> generator.generate(prompts(1, 5), Sampling.GREEDY, Listener.DEAF))
          .isInstanceOf(ModelException.class)
          .hasMessageContaining("no numbers");
      assertThat(generator.heldPages()).isZero();
    }
  }

  /** Where in a file some bytes are. */
  private static long find(Path file, MemorySegment bytes) throws IOException {
    byte[] all = Files.readAllBytes(file);
    byte[] wanted = bytes.toArray(JAVA_BYTE);
    for (int at = 0; at <= all.length - wanted.length; at++) {
      if (Arrays.equals(all, at, at + wanted.length, wanted, 0, wanted.length)) return at;
    }
    throw new AssertionError("not in the file");
  }

  @Test
  void everyArchitectureGenerates() {
    for (SynthShape shape :
        List.of(
            SynthShape.LLAMA3_TINY,
            SynthShape.QWEN2_TINY,
            SynthShape.QWEN3_TINY,
            SynthShape.GEMMA3_TINY,
            SynthShape.GPT2_TINY)) {
      Path path = folder.resolve(shape.word() + ".gguf");
      SynthModel.write(shape, TensorType.F32, 1, path, _ -> {});
      Sampling some = Sampling.GREEDY.withMaxTokens(24);
      try (Generator generator = Generator.open(path, ONE.withSequences(2))) {
        List<Completion> two = generator.generate(List.of("One two", "Three"), some, Listener.DEAF);
        generator.forget();
        assertThat(generator.generate("Three", some).ids())
            .as(shape.word())
            .isNotEmpty()
            .isEqualTo(two.get(1).ids());
      }
    }
  }
}
