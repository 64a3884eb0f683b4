package dev.ridgeline.cli.line;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TypedWordsTest {
  @Test
  void bytesThatAreNoUtf8AreRefused() {
    byte[] typed = "java\0-jar\0x\0embed\0caf\u00e9\0b\0".getBytes(ISO_8859_1);
    assertThatThrownBy(() -> TypedWords.check(typed, "embed", "caf\uFFFD", "b"))
        .isInstanceOf(Problem.class)
        .hasMessage("argument 2 is not UTF-8: 'caf\uFFFD'");
  }

  @Test
  void theCharacterThatStandsForSuchBytesMayBeTyped() {
    byte[] typed = "java\0-jar\0x\0embed\0caf\uFFFD\0\0".getBytes(UTF_8);
    assertThatCode(() -> TypedWords.check(typed, "embed", "caf\uFFFD", ""))
        .doesNotThrowAnyException();
  }
}
