package dev.ridgeline.model.tokenizer;

import java.lang.Character.UnicodeBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Texts that tokenizers have stumbled over, and random ones. */
final class Texts {
  private static final int[] ASSIGNED = assigned();

  private Texts() {}

  /** Hand-picked oddities, then some characters of each block of Unicode between Latin words. */
  static List<String> odd() {
    List<String> texts =
        new ArrayList<>(
            List.of(
                "",
                " ",
                "\t\n\r",
                "\u0000a\u0001b\u007fc\ufffd",
                "Hello, World!",
                "naïve café Ångström ÀÉÎÕÜ ñ ç",
                "e\u0301 a\u0308\u0304 o\u0302\u0323",
                "İstanbul ISPARTA ıI İi",
                "ΌΣΟΣ ΣΊΣΥΦΟΣ ς σ",
                "STRASSE Straße ẞ ŉ ǰ ΐ ﬃ ﬆ Ǆ ǅ ǆ",
                "你好，世界。中文 mixed 文字abc",
                "日本語のテキスト ｶﾞｷﾞ ガ か\u3099",
                "한국어 텍스트 각 \u1100\u1161\u11a8",
                "ไทย ภาษา ลาว ខ្មែរ မြန်မာ",
                "हिन्दी বাংলা தமிழ் తెలుగు ಕನ್ನಡ മലയാളം",
                "עברית עִבְרִית العربية العَرَبِيَّة",
                "👍🏽 👨‍👩‍👧‍👦 🇩🇪 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
                "\u202eright to left\u202c \u200bzero\u200d width\u2060 \ufeffbom",
                "a\u00a0b\u2003c\u3000d\u2028e\u2029f\u0085g\u180eh",
                "don't can't I'll we've [brackets] {braces} <tags>",
                "$100 + 5% = #1 @home ^caret `tick` ~tilde | pipe",
                "≠ ≮ ≯ ⊄ ; · ´ ` Å Ω K",
                "豈更車賈滑串句龜龜契 " + Character.toString(0x2f800),
                "[CLS] [SEP] [MASK] [PAD] [UNK] [unused1] [ CLS ]",
                "a[SEP]b[MASK]c[cls][CLS",
                "[[CLS]] [MASK][MASK] x[UNK]y",
                "##ing ## # ### a##b ▁word ▁ _",
                "supercalifragilisticexpialidocious antidisestablishmentarianism",
                "x".repeat(99) + " " + "x".repeat(100) + " " + "x".repeat(101),
                "é".repeat(100) + " " + "각".repeat(33) + " " + "각".repeat(34),
                "a" + "\u0301".repeat(300) + "b",
                "!".repeat(300),
                "的".repeat(150),
                "\u0f71\u0f72\u0f74 \u0344 \u0390 \u1fb7",
                "\ud83d\ude00\u0000 " + Character.toString(0x10ffff) + Character.toString(0xe000),
                hex(0x1d15e, 0x1d16d, 0x1d165, 0x34f, 0x1d165, 'x'),
                hex('a', 0x1d16d, 0x302e, 0x1d165, 0x8d4, 0x1e94a, 'b'),
                hex(0x1d16d, 0x301, 0x1d165) + " " + hex(0x1d16d, 0x200d, 0x1d165),
                "http://example.org/a?b=c&d=e#f user@example.com C:\\path\\file.txt",
                "3.14159 1,000,000 1/2 ½ ² ³ ① Ⅷ ⅷ",
                "— – ‐ … „quotes“ «guillemets» ‹single› 「corner」",
                "Ⅳ Ⓐ ⓐ 𝐀 𝔸 𝒶 ａＡ１！"));
    blocks().forEach((_, characters) -> texts.add(sample(characters)));
    return texts;
  }

  private static Map<UnicodeBlock, List<Integer>> blocks() {
    Map<UnicodeBlock, List<Integer>> blocks = new LinkedHashMap<>();
    for (int character : ASSIGNED) {
      blocks.computeIfAbsent(UnicodeBlock.of(character), _ -> new ArrayList<>()).add(character);
    }
    return blocks;
  }

  private static String sample(List<Integer> characters) {
    StringBuilder text = new StringBuilder("Beginning ");
    int step = Math.max(1, characters.size() / 24);
    for (int i = 0; i < characters.size(); i += step) {
      text.appendCodePoint(characters.get(i));
      if (i / step % 4 == 3) text.append(i / step % 8 == 3 ? " " : "x");
    }
    return text.append(" end").toString();
  }

  private static String hex(int... characters) {
    return new String(characters, 0, characters.length);
  }

  /** Up to 48 characters, each any that is assigned, or each second time a common one. */
  static String random(SplittableRandom random) {
    int style = random.nextInt(4);
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(48); i >= 0; i--) {
      text.appendCodePoint(
          switch (random.nextInt(4) < style ? style : 0) {
            case 1 -> 0x20 + random.nextInt(0x5f);
            case 2 -> commonAssigned(random);
            case 3 -> random.nextInt(4) == 0 ? ' ' : 'a' + random.nextInt(26);
            default -> ASSIGNED[random.nextInt(ASSIGNED.length)];
          });
    }
    return text.toString();
  }

  /** Of the first planes' beginning, where marks and alphabets are. */
  private static int commonAssigned(SplittableRandom random) {
    while (true) {
      int character = ASSIGNED[random.nextInt(ASSIGNED.length)] % 0x3000;
      if (Character.isDefined(character)) return character;
    }
  }

  private static int[] assigned() {
    return java.util.stream.IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
        .filter(c -> Character.isDefined(c) && Character.getType(c) != Character.SURROGATE)
        .toArray();
  }
}
