package dev.ridgeline.model.tokenizer;

import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.util.BitSet;
import java.util.Set;

/** The tokens that end what a model generates: a text, a turn, a message. */
final class Endings {
  /** Files often name only one of theirs, and chat models stop at another. */
  private static final Set<String> KNOWN =
      Set.of(
          "<|endoftext|>",
          "<|end_of_text|>",
          "<|eot_id|>",
          "<|eom_id|>",
          "<|im_end|>",
          "<|end|>",
          "<end_of_turn>",
          "<end_of_utterance>",
          "<eos>",
          "</s>",
          "<EOT>",
          "<｜end▁of▁sentence｜>");

  private final BitSet ids = new BitSet();

  Endings(Vocabulary vocabulary, Specials specials) {
    for (int id : new int[] {specials.eos(), specials.eot(), specials.eom()}) {
      if (id >= 0) ids.set(id);
    }
    for (int id = 0; id < vocabulary.size(); id++) {
      // An ordinary token may be spelled so too: </s> is also HTML.
      boolean own = vocabulary.kind(id) == Kind.CONTROL || vocabulary.kind(id) == Kind.USER_DEFINED;
      if (own && KNOWN.contains(vocabulary.token(id))) ids.set(id);
    }
  }

  boolean has(int id) {
    return ids.get(id);
  }

  int[] ids() {
    return ids.stream().toArray();
  }
}
