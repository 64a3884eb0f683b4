package dev.ridgeline.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.train.config.TrainConfigFile;
import dev.ridgeline.train.json.WrongValueException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** What a training says of names that were made to do harm. */
@Execution(CONCURRENT)
class MessagesTest {
  /** Red, a line end, the same as one byte of C1, and text that runs backwards. */
  private static final String NASTY = "a\u001b[31m\n\u009b1m\u202eb";

  private static final String SHOWN = "a\\u001b[31m\\n\\u009b1m\\u202eb";

  @TempDir private Path folder;

  @Test
  void nothingInAMessageSteersATerminal() {
    shown(catchThrowable(() -> TrainConfigFile.read(folder.resolve(NASTY))));
    shown(new TrainException("no training " + NASTY));
    shown(new WrongValueException("schedule", NASTY + " is none"));
  }

  private static void shown(Throwable thrown) {
    assertThat(thrown).hasMessageContaining(SHOWN).message().doesNotContain(NASTY);
  }
}
