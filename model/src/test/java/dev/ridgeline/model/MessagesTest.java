package dev.ridgeline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.model.generate.ChatTemplate;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.imports.ModelImport;
import dev.ridgeline.model.imports.TokenizerJson;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.tensor.KernelException;
import dev.ridgeline.tensor.gguf.Gguf;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** What the library says of names that were made to do harm. */
@Execution(CONCURRENT)
class MessagesTest {
  /** Red, a line end, the same as one byte of C1, and text that runs backwards. */
  private static final String NASTY = "a\u001b[31m\n\u009b1m\u202eb";

  private static final String SHOWN = "a\\u001b[31m\\n\\u009b1m\\u202eb";

  @TempDir private Path folder;

  private static void shown(ThrowingCallable call) {
    assertThat(catchThrowable(call)).hasMessageContaining(SHOWN).message().doesNotContain(NASTY);
  }

  @Test
  void nothingInAMessageSteersATerminal() {
    Path path = folder.resolve(NASTY + ".gguf");
    shown(() -> ModelName.of(NASTY));
    shown(() -> ModelName.of("synth:" + NASTY));
    shown(() -> Embedder.open(path.toString()));
    shown(() -> Generator.open(path.toString()));
    shown(() -> Gguf.open(path));
    shown(() -> ModelImport.open(path, ModelImport.Options.NONE));
    shown(() -> TokenizerJson.read(path));
    shown(() -> ChatTemplate.named(NASTY));
    shown(
        () -> {
          throw new KernelException("kernels " + NASTY);
        });
  }

  @Test
  void aLongMessageKeepsBothEnds() {
    assertThat(new ModelException("begin " + "x".repeat(5_000) + " end"))
        .message()
        .startsWith("begin xxx")
        .contains("x…x")
        .endsWith("xxx end")
        .hasSizeLessThanOrEqualTo(600);
    // Neither half of a pair is left alone.
    for (int i = 0; i < 4; i++) {
      String message = new ModelException("y".repeat(i) + "😀".repeat(999)).getMessage();
      assertThat(message.codePoints()).noneMatch(c -> Character.getType(c) == Character.SURROGATE);
    }
  }
}
