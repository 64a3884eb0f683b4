package dev.ridgeline.train.tokenizer;

import java.util.SplittableRandom;

/** Texts with words that come again, and with what pre-tokenizers have stumbled over. */
final class RandomTexts {
  private static final String[] PARTS = {
    " ",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "\u00a0",
    "\u3000",
    "the",
    "The",
    "then",
    "other",
    " and",
    "ing",
    "a",
    "b",
    "ab",
    "aaa",
    "aaaaaaa",
    "'",
    "'s",
    "'ll",
    "'RE",
    "1",
    "23",
    "4567",
    "²",
    "½",
    "!",
    "...",
    "?!",
    "_",
    "—",
    "é",
    "e\u0301",
    "naïve",
    "的",
    "你好",
    "ж",
    "слово",
    "🦙",
    "👍🏽",
    "\u200d",
    "\u0000",
    "\ufffd",
    "<|endoftext|>",
    "<|"
  };

  private RandomTexts() {}

  static String of(SplittableRandom random, int parts) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(parts); i >= 0; i--) {
      if (random.nextInt(12) == 0) {
        int character = random.nextInt(Character.MAX_CODE_POINT + 1);
        boolean whole =
            Character.isDefined(character) && (character < 0xd800 || character > 0xdfff);
        text.appendCodePoint(whole ? character : 'x');
      } else {
        text.append(PARTS[random.nextInt(PARTS.length)]);
      }
    }
    return text.toString();
  }
}
