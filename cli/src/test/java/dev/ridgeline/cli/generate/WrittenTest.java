package dev.ridgeline.cli.generate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.model.generate.Completion;
import dev.ridgeline.model.generate.Finish;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Texts go out in the order of their prompts, and at once where they can. */
class WrittenTest {
  private final List<String> flushed = new ArrayList<>();
  private final ByteArrayOutputStream out =
      new ByteArrayOutputStream() {
        @Override
        public void flush() throws IOException {
          super.flush();
          flushed.add(toString(UTF_8));
          reset();
        }
      };

  private Written written(TextFormat format) {
    return new Written(out, format, i -> "p" + i, i -> i, () -> true);
  }

  private static Completion completion(String text, Finish finish) {
    return new Completion(text, new int[] {1, 2}, 3, 0, finish);
  }

  @Test
  void theTextThatIsNextGoesOutAsItComes() {
    Written written = written(TextFormat.TEXT);
    written.heard(0, "caf", 0, 3);
    written.heard(1, "other", 0, 5);
    written.heard(0, "café 😀", 3, 7);
    written.ended(1, completion("other text", Finish.LENGTH));
    assertThat(String.join("", flushed)).isEqualTo("café 😀");
    written.ended(0, completion("café 😀!", Finish.LENGTH));
    written.called(2);
    assertThat(String.join("", flushed)).isEqualTo("café 😀!\nother text\n");
    assertThat(flushed).first().isEqualTo("caf");
  }

  @Test
  void aTextWhoseTurnComesLateBeginsAtItsBeginning() {
    Written written = written(TextFormat.TEXT);
    written.heard(1, "ab", 0, 2);
    written.ended(0, completion("first", Finish.END));
    written.heard(1, "abc", 2, 3);
    assertThat(String.join("", flushed)).isEqualTo("first\nabc");
  }

  @Test
  void whatEndedBeforeACancelledOneIsNotLost() {
    Written written = written(TextFormat.JSONL);
    written.ended(2, completion("\"two\"\n", Finish.CANCELLED));
    assertThat(flushed).isEmpty();
    written.called(4);
    assertThat(flushed)
        .containsExactly(
            "{\"index\":2,\"prompt\":\"p2\",\"text\":\"\\\"two\\\"\\n"
                + "\",\"tokens\":2,\"finish\":\"cancelled\"}\n");
    written.ended(0, completion("next call", Finish.END));
    assertThat(flushed.getLast()).startsWith("{\"index\":4,\"prompt\":\"p4\"");
  }
}
