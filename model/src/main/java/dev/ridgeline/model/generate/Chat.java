package dev.ridgeline.model.generate;

import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Tokens;
import java.util.Arrays;

/**
 * A conversation with a model. What was said stays in the generator's cache as long as no other
 * sequence needs the room, so a turn costs no more than its own words. One thread at a time.
 */
public final class Chat {
  private final Generator generator;
  private final ChatTemplate template;
  private final Tokenizer tokenizer;

  /** All that was said, as the model reads it. */
  private final Tokens said = new Tokens();

  /** Tokens before the first turn. */
  private final int begun;

  /** Whether the user's turn is already open, by the words of the system. */
  private boolean open;

  /** What is written and not yet encoded: at once, since tokens may reach over its parts. */
  private final StringBuilder written = new StringBuilder();

  private final Tokens trial = new Tokens();

  private final ChatTemplate.Pen pen =
      new ChatTemplate.Pen() {
        @Override
        public void mark(String text) {
          written.append(text);
        }

        @Override
        public void words(CharSequence text) {
          if (plain(text)) {
            written.append(text);
            return;
          }
          encode();
          tokenizer.encode(text, false, false, said);
        }
      };

  /**
   * Begins a conversation.
   *
   * @param system what the model is told before anything else, or ""
   */
  public Chat(Generator generator, ChatTemplate template, String system) {
    this.generator = generator;
    this.template = template;
    this.tokenizer = generator.tokenizer();
    if (tokenizer.first() >= 0) said.add(tokenizer.first());
    if (!system.isBlank()) {
      template.write(Role.SYSTEM, system, true, pen);
      open = true;
    }
    trial.clear();
    tokenizer.encode(written, false, true, trial);
    begun = said.size() + trial.size();
    if (begun >= generator.context()) throw tooLong("what the model is told", begun);
  }

  private ModelException tooLong(String what, int tokens) {
    return new ModelException(
        "%s has %d tokens, the context holds %d: say less"
            .formatted(what, tokens, generator.context()));
  }

  /** Says something to the model, and hears its answer as it comes. */
  public Completion say(CharSequence words, Sampling sampling, Listener listener) {
    if (words.toString().isBlank()) throw new ModelException("nothing was said");
    int before = said.size();
    String unsaid = written.toString();
    Completion answer;
    try {
      template.write(Role.USER, words, !open, pen);
      template.invite(pen);
      encode();
      answer = answer(said.size() - before, sampling, listener);
    } catch (RuntimeException | Error e) {
      // As if nothing had been said.
      said.truncate(before);
      written.setLength(0);
      written.append(unsaid);
      throw e;
    }
    open = false;
    for (int id : answer.ids()) said.add(id);
    String end = template.end();
    // The model may have written the first mark of that itself.
    int last = said.get(said.size() - 1);
    boolean ended = tokenizer.ends(last) && end.startsWith(tokenizer.token(last));
    written.append(ended ? end.substring(tokenizer.token(last).length()) : end);
    return answer;
  }

  /**
   * @param turn tokens that were said last
   */
  private Completion answer(int turn, Sampling sampling, Listener listener) {
    if (said.size() >= generator.context()) {
      int anew = Math.min(said.size(), begun + turn);
      // To begin anew would not help.
      if (anew >= generator.context()) {
        throw tooLong(begun > 1 ? "this turn with what the model is told" : "this turn", anew);
      }
      throw new ModelException(
          "the conversation has %d tokens now, the context holds %d: start over"
              .formatted(said.size(), generator.context()));
    }
    return generator.generate(new int[][] {said.ids()}, sampling, listener).getFirst();
  }

  private void encode() {
    if (written.isEmpty()) return;
    tokenizer.encode(written, false, true, said);
    written.setLength(0);
  }

  /** Whether no special token is spelled out in what somebody says. */
  private boolean plain(CharSequence text) {
    trial.clear();
    tokenizer.encode(text, false, true, trial);
    int[] special = trial.ids();
    trial.clear();
    tokenizer.encode(text, false, false, trial);
    return Arrays.equals(special, trial.ids());
  }

  /** Tokens of all that was said. */
  public int tokens() {
    return said.size();
  }
}
