package dev.ridgeline.cli.texts;

/**
 * Follows bytes of UTF-8 and knows the line of the first that are none. A decoder reads ahead of
 * the lines, so its failure does not tell.
 */
final class Utf8Lines {
  private long line = 1;
  private boolean carriageReturn;
  private boolean malformed;
  private int missing;
  private int least;
  private int most;

  /** Follows one byte; nothing counts after the first that is malformed. */
  void next(byte next) {
    if (malformed) return;
    int unit = next & 0xff;
    if (missing > 0) {
      malformed = unit < least || unit > most;
      least = 0x80;
      most = 0xbf;
      missing--;
      return;
    }
    if (unit < 0x80) {
      endOfLine(unit);
      return;
    }
    carriageReturn = false;
    malformed = unit < 0xc2 || unit > 0xf4;
    missing = unit >= 0xf0 ? 3 : unit >= 0xe0 ? 2 : 1;
    // No longer form than needed, no half of a pair, nothing beyond the last character.
    least = unit == 0xe0 ? 0xa0 : unit == 0xf0 ? 0x90 : 0x80;
    most = unit == 0xed ? 0x9f : unit == 0xf4 ? 0x8f : 0xbf;
  }

  private void endOfLine(int unit) {
    if (unit == '\r' || unit == '\n' && !carriageReturn) line++;
    carriageReturn = unit == '\r';
  }

  /** The line of the first malformed bytes, else the one that the last byte left off in. */
  long line() {
    return line;
  }
}
