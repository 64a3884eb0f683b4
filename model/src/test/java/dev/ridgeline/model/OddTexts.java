package dev.ridgeline.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Texts as they come: plain, long, and odd in every way that Unicode allows. */
final class OddTexts {
  private static final List<String> ODD =
      List.of(
          "a",
          ".",
          "Hello, world!",
          "ÀÉÎÕÜ naïve façade Ångström Zoë",
          "e\u0301 combining, \u00e9 composed",
          "İstanbul ΣΊΣΥΦΟΣ straße ﬁne ﬂow",
          "中文字符和english混合 測試",
          "日本語のテキスト カタカナ",
          "한국어 문장입니다 ㄱㄴㄷ",
          "العربية من اليمين إلى اليسار",
          "עברית עם נִקּוּד",
          "हिन्दी पाठ में संयुक्ताक्षर",
          "ไทยไม่มีช่องว่าง",
          "😀 👩‍👩‍👧‍👦 🏳️‍🌈 emoji 🇩🇪",
          "zero\u200bwidth\u200djoiner\ufeffbom",
          "tabs\tand\nnew\r\nlines\u2028and\u2029more",
          "non\u00a0breaking\u202fspaces\u3000wide",
          "control\u0001characters\u0007here\u007f",
          "\ud835\udd4c\ud835\udd5f\ud835\udd5a math letters",
          "①②③ ½ ¾ ™ ℃ ﷺ",
          "[CLS] and [SEP] and [MASK] spelled out",
          "##continuation ##pieces alone",
          "x".repeat(99) + " " + "y".repeat(101),
          "1234567890 3.14159 1e-9 0xFF $5.00 50%",
          "https://example.com/path?query=a&b=c#fragment",
          "someone@example.com",
          "snake_case camelCase kebab-case SCREAMING",
          "it's don't we'll y'all o'clock",
          "\"quoted\" 'single' «guillemets» „low“ 「corner」",
          "—dash–dash−minus‐hyphen",
          "a\u0300\u0301\u0302\u0303 stacked",
          "private \ue000 use \uf8ff",
          "unassigned \u0378 and \ufffd replacement");

  private static final String[] WORDS =
      ("the quick brown fox jumps over a lazy dog while engineers measure bandwidth latency and"
              + " throughput of small language models on virtual machines with careful statistics"
              + " nobody remembers yesterday's weather in Reykjavík or Kraków but photosynthesis"
              + " antidisestablishmentarianism internationalization quantization tokenization")
          .split(" ");

  private OddTexts() {}

  /** At least 200, always the same. */
  static List<String> all() {
    Random random = new Random(11);
    List<String> texts = new ArrayList<>(ODD);
    while (texts.size() < 210) {
      StringBuilder text = new StringBuilder();
      int words = 1 + random.nextInt(texts.size() % 80 == 40 ? 700 : 10);
      for (int i = 0; i < words; i++) {
        if (random.nextInt(12) == 0) text.append(ODD.get(random.nextInt(ODD.size())));
        else text.append(WORDS[random.nextInt(WORDS.length)]);
        text.append(random.nextInt(9) == 0 ? ", " : " ");
      }
      texts.add(text.toString().strip());
    }
    return texts;
  }
}
