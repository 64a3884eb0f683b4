package dev.ridgeline.model;

import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.model.tokenizer.WholeText;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import java.util.List;

/**
 * Texts into tokens, each with what the model wants before it; what cannot be embedded is a {@link
 * TextException}.
 *
 * @param prefix what stands before every text, or empty
 * @param context tokens of a text at most, the special ones included
 * @param truncate whether longer texts are cut instead of refused
 */
record TextReader(Tokenizer tokenizer, String prefix, int context, boolean truncate) {
  private static final Scope TOKENIZE = Scope.of("tokenize");

  /** Tokens of a text, left in the lane's buffer; answers how many. */
  int read(List<? extends CharSequence> texts, int index, Lane lane) {
    CharSequence text = texts.get(index);
    if (text == null) throw new NullPointerException("text %d is null".formatted(index + 1));
    int half = WholeText.firstHalf(text);
    if (half >= 0) throw TextException.broken(index, texts.size(), half);
    boolean empty;
    try (var scope = Profiler.scope(TOKENIZE)) {
      empty = tokenize(text, lane);
      scope.work(2L * text.length(), 0);
    }
    if (empty) throw TextException.empty(index, texts.size());
    Tokens tokens = lane.tokens;
    int count = tokens.size();
    if (count <= context) return count;
    if (!truncate) throw TextException.tooLong(index, texts.size(), count, context);
    tokens.truncate(context);
    // What ends a text still ends it.
    if (tokenizer.last() >= 0) tokens.set(context - 1, tokenizer.last());
    return context;
  }

  /** How many tokens a text has, the special ones included. */
  int count(CharSequence text, Lane lane) {
    tokenize(text, lane);
    return lane.tokens.size();
  }

  /** Whether nothing was there but the frame. */
  private boolean tokenize(CharSequence text, Lane lane) {
    CharSequence whole = text;
    if (!prefix.isEmpty()) {
      lane.text.setLength(0);
      lane.text.append(prefix).append(text);
      whole = lane.text;
    }
    lane.tokens.clear();
    tokenizer.encode(whole, lane.tokens);
    int frame = (tokenizer.first() < 0 ? 0 : 1) + (tokenizer.last() < 0 ? 0 : 1);
    return isBlank(text) || lane.tokens.size() == frame;
  }

  private static boolean isBlank(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      if (!Character.isWhitespace(text.charAt(i))) return false;
    }
    return true;
  }
}
