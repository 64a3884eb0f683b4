package dev.ridgeline.model.tokenizer;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Ids into text as they come, never half a character.
 *
 * <p>A token may be a part of a character; its bytes wait until the rest is there. Bytes that can
 * become no character are U+FFFD, as everywhere in Java. Allocates nothing but what the target
 * needs to grow. Not safe for concurrent use: one for each sequence.
 */
public final class TextStream {
  private final Tokenizer tokenizer;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);
  private final ByteBuffer bytes;
  private final CharBuffer chars;
  private boolean beginning;

  /** A stream whose first id begins a text. */
  public TextStream(Tokenizer tokenizer) {
    this.tokenizer = tokenizer;
    int room = tokenizer.longestToken() + Utf8.LONGEST;
    bytes = ByteBuffer.allocate(room);
    chars = CharBuffer.allocate(room);
    begin();
  }

  /**
   * Forgets all; the next id begins a text, and the space that a tokenizer put there is dropped.
   */
  public void begin() {
    follow();
    beginning = true;
  }

  /** Forgets all; the next id goes on with a text that stands elsewhere, a prompt for instance. */
  public void follow() {
    decoder.reset();
    bytes.clear();
    beginning = false;
  }

  /** Appends the characters that are complete with this id; control tokens have none. */
  public void add(int id, StringBuilder out) {
    int from = bytes.position();
    int to = tokenizer.bytes(id, bytes.array(), from);
    if (from == to) return;
    boolean spaced = beginning && tokenizer.addsSpace() && bytes.get(from) == ' ';
    beginning = false;
    bytes.limit(to).position(spaced ? 1 : 0);
    decode(false, out);
    bytes.compact();
  }

  /** Appends what is left of a character that never became whole; the stream can begin again. */
  public void end(StringBuilder out) {
    bytes.flip();
    decode(true, out);
    begin();
  }

  private void decode(boolean last, StringBuilder out) {
    chars.clear();
    decoder.decode(bytes, chars, last);
    if (last) decoder.flush(chars);
    chars.flip();
    out.append(chars.array(), 0, chars.limit());
  }
}
