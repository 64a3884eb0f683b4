package dev.ridgeline.model.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import dev.ridgeline.oracle.Allocated;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Text comes out as soon as it is whole, and is in the end what all bytes together are. */
class TextStreamTest {
  private static final long SEED = 4;

  /** Each byte is a token, with its own number as its id. */
  private static final BytePair BYTES =
      new BytePair(
          Vocabulary.of(
              IntStream.range(0, 256)
                  .mapToObj(b -> String.valueOf(ByteLetters.letter(b)))
                  .toList()),
          List.of(),
          "gpt-2",
          Specials.NONE,
          false,
          false);

  @Test
  void aCharacterComesWhenItsLastByteDoes() {
    TextStream stream = new TextStream(BYTES);
    StringBuilder text = new StringBuilder();
    List<String> steps = new ArrayList<>();
    for (byte b : "aé漢🦙".getBytes(StandardCharsets.UTF_8)) {
      stream.add(b & 0xff, text);
      steps.add(text.toString());
    }
    assertThat(steps)
        .containsExactly("a", "a", "aé", "aé", "aé", "aé漢", "aé漢", "aé漢", "aé漢", "aé漢🦙");
  }

  @Test
  void brokenBytesAreReplacedAsJavaDoes() {
    TextStream stream = new TextStream(BYTES);
    StringBuilder text = new StringBuilder();
    for (int seed = 0; seed < 20_000; seed++) {
      byte[] bytes = broken(new SplittableRandom(seed));
      text.setLength(0);
      for (byte b : bytes) stream.add(b & 0xff, text);
      stream.end(text);
      String expected = new String(bytes, StandardCharsets.UTF_8);
      if (!expected.contentEquals(text)) {
        assertThat(text.toString()).as("seed %d", seed).isEqualTo(expected);
      }
    }
  }

  /** Whole characters with bytes lost, doubled and made up. */
  private static byte[] broken(SplittableRandom random) {
    byte[] bytes = Texts.random(random).getBytes(StandardCharsets.UTF_8);
    for (int i = random.nextInt(6); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) (0x80 | random.nextInt(128));
    }
    return java.util.Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length));
  }

  @Test
  void theSpaceBeforeATextIsDroppedButNotAfterAPrompt() {
    Vocabulary vocabulary =
        Vocabulary.of(
            List.of("<unk>", "<s>", "▁Once", "▁upon", "<0xE6>", "<0xBC>", "<0xA2>"),
            new int[] {2, 3, 1, 1, 6, 6, 6},
            null);
    SentencePiece tokenizer =
        new SentencePiece(
            vocabulary, new Specials(1, -1, -1, -1, -1, -1, -1, -1, 0), true, true, false);
    assertThat(tokenizer.decode(1, 2, 3, 4, 5, 6)).isEqualTo("Once upon漢");
    TextStream stream = new TextStream(tokenizer);
    StringBuilder text = new StringBuilder("…");
    stream.follow();
    stream.add(3, text);
    stream.add(4, text);
    stream.end(text);
    assertThat(text).hasToString("… upon\ufffd");
  }

  @Test
  void whatWaitedIsForgottenByTheNextText() {
    TextStream stream = new TextStream(BYTES);
    StringBuilder text = new StringBuilder();
    stream.add(0xe6, text);
    stream.begin();
    stream.add('x', text);
    stream.end(text);
    assertThat(text).hasToString("x");
  }

  @Test
  void wordsOfBertHaveNoBytes() {
    WordPiece tokenizer =
        new WordPiece(
            Vocabulary.of(List.of("[UNK]", "a")),
            new Specials(-1, -1, -1, -1, -1, -1, -1, -1, 0),
            true,
            true);
    assertThatThrownBy(() -> new TextStream(tokenizer).add(1, new StringBuilder()))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  @Tag("own-jvm")
  void nothingIsAllocated() {
    assertThat(Allocated.by(AddedAgain.class)).containsExactly(entry("4096 ids", 0L));
  }

  static final class AddedAgain {
    public static void main(String[] arguments) {
      int[] ids = new SplittableRandom(SEED).ints(4_096, 0, 256).toArray();
      TextStream stream = new TextStream(BYTES);
      StringBuilder text = new StringBuilder(1 << 14);
      Allocated.again(
          ids.length + " ids",
          () -> {
            text.setLength(0);
            for (int id : ids) stream.add(id, text);
            stream.end(text);
          });
    }
  }

  @Test
  void endingsAreThoseOfTheFileAndThoseOfKnownNames() {
    List<String> tokens = List.of("a", "<|im_end|>", "</s>", "<own_end>", "<eos>", "<|im_start|>");
    int[] kinds = {1, 3, 1, 3, 4, 3};
    assertThat(Kind.CONTROL.number()).isEqualTo(3);
    BytePair tokenizer =
        new BytePair(
            Vocabulary.of(tokens, kinds, null),
            List.of(),
            "qwen2",
            new Specials(-1, -1, 3, -1, -1, -1, -1, -1, -1),
            false,
            false);
    // An ordinary </s> is only text.
    assertThat(tokenizer.endings()).containsExactly(1, 3, 4);
    assertThat(tokenizer.ends(1)).isTrue();
    assertThat(tokenizer.ends(2)).isFalse();
  }
}
