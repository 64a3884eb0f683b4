package dev.ridgeline.train.data;

import dev.ridgeline.model.tokenizer.ByteLetters;
import dev.ridgeline.model.tokenizer.BytePair;
import dev.ridgeline.model.tokenizer.Specials;
import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Vocabulary;
import java.util.List;
import java.util.stream.IntStream;

/** Bytes, and nothing that ends a text. */
final class WithoutEnd {
  private WithoutEnd() {}

  static Tokenizer tokenizer() {
    List<String> letters =
        IntStream.range(0, 256).mapToObj(b -> String.valueOf(ByteLetters.letter(b))).toList();
    return new BytePair(Vocabulary.of(letters), List.of(), "gpt-2", Specials.NONE, false, false);
  }
}
