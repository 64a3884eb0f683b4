package dev.ridgeline.model.tokenizer;

import static java.util.Objects.checkIndex;

/**
 * The ids with a meaning of their own, −1 where a vocabulary has no such token.
 *
 * @param eot ends a turn of a chat
 * @param eom ends a message that expects an answer from a tool
 */
public record Specials(
    int bos, int eos, int eot, int eom, int cls, int sep, int pad, int mask, int unknown) {
  public static final Specials NONE = new Specials(-1, -1, -1, -1, -1, -1, -1, -1, -1);

  public Specials withFrame(int bos, int eos) {
    return new Specials(bos, eos, eot, eom, cls, sep, pad, mask, unknown);
  }

  /** The same ids, all of them inside a vocabulary of this size. */
  Specials within(int size) {
    for (int id : new int[] {bos, eos, eot, eom, cls, sep, pad, mask, unknown}) {
      if (id != -1) checkIndex(id, size);
    }
    return this;
  }
}
