package dev.ridgeline.model.tokenizer;

import ai.djl.huggingface.tokenizers.Encoding;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Asks the tokenizers of Hugging Face what they do with each character, and writes it down as the
 * resources that {@link Characters} and {@link Classes} read: {@code main} with their folder.
 *
 * <p>A tokenizer whose tokens are single bytes shows what its normalizer made of a text. What is
 * asked is complete, so that the tables depend on no Unicode version of a JDK.
 */
final class CharacterFacts {
  private static final int BATCH = 128;
  private static final int HANGUL = 0xac00;
  private static final int HANGUL_END = 0xd7a4;

  /** Non-zero combining classes that survive stripping: one low, one high. */
  private static final String LOW_MARK = Character.toString(0x1d165);

  private static final String HIGH_MARK = Character.toString(0x1d16d);

  /** The first and the last in canonical order. */
  private static final String LOWEST_MARK = "\u0334";

  private static final String HIGHEST_MARK = "\u0345";

  private final BitSet drop = new BitSet();
  private final BitSet space = new BitSet();
  private final BitSet ideograph = new BitSet();
  private final BitSet punctuation = new BitSet();
  private final BitSet mark = new BitSet();
  private final BitSet blocker = new BitSet();
  private final Map<Integer, String> lower = new TreeMap<>();
  private final Map<Integer, String> strip = new TreeMap<>();
  private final List<BitSet> ranks = new ArrayList<>();

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    Files.writeString(folder.resolve("characters.txt"), facts());
    Files.writeString(folder.resolve("classes.txt"), classes());
  }

  /** What the patterns of byte-level tokenizers mean by letters, numbers and spaces. */
  static String classes() {
    StringBuilder text =
        new StringBuilder("# The classes of pre-tokenizers; written by CharacterFacts.\n");
    line(text, "letter", without("\\P{L}+"));
    line(text, "number", without("\\P{N}+"));
    line(text, "space", without("\\S+"));
    line(text, "accent", accents());
    return text.toString();
  }

  /** The characters that NFC may change, move, or join to one before them. */
  private static BitSet accents() {
    BitSet accents = new BitSet();
    accents.set(0x1161, 0x1176); // the letters that Hangul's arithmetic joins
    accents.set(0x11a8, 0x11c3);
    try (HuggingFace apart = HuggingFace.of(json("{\"type\":\"NFD\"}", ""))) {
      eachAnswer(apart, (_, answer) -> answer.codePoints().skip(1).forEach(accents::set));
    }
    try (HuggingFace together = HuggingFace.of(json("{\"type\":\"NFC\"}", ""))) {
      eachAnswer(
          together,
          (character, answer) -> {
            if (!answer.equals(Character.toString(character))) accents.set(character);
          });
      for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
        if (!isCombining(c) || accents.get(c)) continue;
        String text = Character.toString(c);
        if (swaps(together, text, LOWEST_MARK) || swaps(together, HIGHEST_MARK, text)) {
          accents.set(c);
        }
      }
    }
    return accents;
  }

  /** All characters but those that a pattern has. */
  private static BitSet without(String pattern) {
    String split =
        """
        {"type":"Split","pattern":{"Regex":"%s"},"behavior":"Removed","invert":false},\
        """
            .formatted(pattern.replace("\\", "\\\\"));
    BitSet left = new BitSet();
    try (HuggingFace oracle = HuggingFace.of(json("null", split))) {
      for (int first = 0; first <= Character.MAX_CODE_POINT; first += BATCH) {
        if (isSurrogate(first) || isEmpty(first)) continue;
        StringBuilder text = new StringBuilder();
        for (int c = first; c < first + BATCH; c++) text.appendCodePoint(c);
        normalized(oracle, text.toString()).codePoints().forEach(left::set);
      }
    }
    return left;
  }

  static String facts() {
    CharacterFacts facts = new CharacterFacts();
    facts.askClasses();
    facts.askPunctuation();
    facts.askLower();
    facts.askStrip();
    facts.askOrder();
    return facts.text();
  }

  private void askClasses() {
    try (HuggingFace oracle = HuggingFace.of(json(normalizer(false, false), ""))) {
      eachAnswer(
          oracle,
          (character, answer) -> {
            if (answer.isEmpty()) drop.set(character);
            else if (answer.equals(" ")) space.set(character);
            else if (answer.equals(" " + Character.toString(character) + " "))
              ideograph.set(character);
            else if (!answer.equals(Character.toString(character)))
              throw new AssertionError("U+%04X: %s".formatted(character, answer));
          });
      space.set(' ');
    }
  }

  private void askLower() {
    try (HuggingFace oracle = HuggingFace.of(json(normalizer(true, false), ""))) {
      eachAnswer(
          oracle,
          (character, answer) -> {
            if (drop.get(character) || space.get(character) || ideograph.get(character)) return;
            if (!answer.equals(Character.toString(character))) lower.put(character, answer);
          });
    }
  }

  private void askStrip() {
    try (HuggingFace oracle = HuggingFace.of(json(normalizer(false, true), ""))) {
      eachAnswer(
          oracle,
          (character, answer) -> {
            if (drop.get(character) || space.get(character)) return;
            String bare =
                ideograph.get(character) ? answer.substring(1, answer.length() - 1) : answer;
            if (bare.isEmpty()) mark.set(character);
            else if (!bare.equals(Character.toString(character))) strip.put(character, bare);
          });
    }
  }

  private void askPunctuation() {
    try (HuggingFace oracle = HuggingFace.of(json("null", "{\"type\":\"BertPreTokenizer\"},"))) {
      for (int first = 0; first <= Character.MAX_CODE_POINT; first += BATCH) {
        if (isSurrogate(first) || isEmpty(first)) continue;
        StringBuilder text = new StringBuilder();
        for (int c = first; c < first + BATCH; c++) {
          text.append('0').appendCodePoint(c).append('1');
        }
        Encoding encoding = oracle.encoding(text.toString());
        long[] words = encoding.getWordIds();
        byte[] bytes = bytes(encoding);
        // A word of its own whose bytes are one character that is not a digit.
        for (int from = 0; from < bytes.length; ) {
          int to = from;
          while (to < bytes.length && words[to] == words[from]) to++;
          String word = new String(bytes, from, to - from, StandardCharsets.UTF_8);
          if (word.codePointCount(0, word.length()) == 1 && !word.equals("0") && !word.equals("1"))
            punctuation.set(word.codePointAt(0));
          from = to;
        }
      }
    }
  }

  /** Which of the characters that survive stripping change places, and which marks forbid it. */
  private void askOrder() {
    try (HuggingFace oracle = HuggingFace.of(json(normalizer(false, true), ""))) {
      List<Integer> movable = new ArrayList<>();
      for (int c = 0x80; c <= Character.MAX_CODE_POINT; c++) {
        if (!isCombining(c) || drop.get(c) || mark.get(c) || strip.containsKey(c)) continue;
        String text = Character.toString(c);
        if (swaps(oracle, text, LOW_MARK) || swaps(oracle, HIGH_MARK, text)) movable.add(c);
      }
      movable.sort(
          (a, b) -> {
            String left = Character.toString(a);
            String right = Character.toString(b);
            if (swaps(oracle, left, right)) return 1;
            return swaps(oracle, right, left) ? -1 : 0;
          });
      String previous = null;
      for (int c : movable) {
        String text = Character.toString(c);
        if (previous == null || swaps(oracle, text, previous)) ranks.add(new BitSet());
        ranks.getLast().set(c);
        previous = text;
      }
      mark.stream()
          .filter(
              c ->
                  !normalized(oracle, HIGH_MARK + Character.toString(c) + LOW_MARK)
                      .equals(LOW_MARK + HIGH_MARK))
          .forEach(blocker::set);
    }
  }

  private static boolean swaps(HuggingFace oracle, String first, String second) {
    return normalized(oracle, first + second).equals(second + first) && !first.equals(second);
  }

  private static String normalized(HuggingFace oracle, String text) {
    return new String(bytes(oracle.encoding(text)), StandardCharsets.UTF_8);
  }

  private interface Answer {
    void accept(int character, String answer);
  }

  /** Many characters in a text, each between two digits. */
  private static void eachAnswer(HuggingFace oracle, Answer answer) {
    for (int first = 0; first <= Character.MAX_CODE_POINT; first += BATCH) {
      if (isSurrogate(first) || isEmpty(first)) continue;
      StringBuilder text = new StringBuilder();
      for (int c = first; c < first + BATCH; c++) {
        if (isAsked(c)) text.append('0').appendCodePoint(c).append('1');
      }
      String all = normalized(oracle, text.toString());
      int at = 0;
      for (int c = first; c < first + BATCH; c++) {
        if (!isAsked(c)) continue;
        at = all.indexOf('0', at) + 1;
        int end = all.indexOf('1', at);
        answer.accept(c, all.substring(at, end));
        at = end;
      }
    }
  }

  /** The digits stand between answers; syllables of Hangul are taken apart by arithmetic. */
  private static boolean isAsked(int character) {
    return character != '0' && character != '1' && (character < HANGUL || character >= HANGUL_END);
  }

  /** Only these have a place in canonical order. */
  private static boolean isCombining(int character) {
    return switch (Character.getType(character)) {
      case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK ->
          true;
      default -> false;
    };
  }

  /** Whole planes have no characters yet. */
  private static boolean isEmpty(int first) {
    for (int c = first; c < first + BATCH; c++) if (Character.isDefined(c)) return false;
    return true;
  }

  private static boolean isSurrogate(int character) {
    return character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
  }

  private String text() {
    StringBuilder text =
        new StringBuilder("# What BERT's normalizer does; written by CharacterFacts.\n");
    line(text, "drop", drop);
    line(text, "space", space);
    line(text, "punctuation", punctuation);
    line(text, "ideograph", ideograph);
    line(text, "mark", mark);
    line(text, "blocker", blocker);
    for (BitSet rank : ranks) line(text, "rank", rank);
    line(text, "lower", lower);
    line(text, "strip", strip);
    return text.toString();
  }

  private static void line(StringBuilder text, String name, BitSet characters) {
    text.append(name);
    for (int from = characters.nextSetBit(0); from >= 0; ) {
      int to = characters.nextClearBit(from);
      text.append(' ').append(Integer.toHexString(from));
      if (to - from > 1) text.append('-').append(Integer.toHexString(to - 1));
      from = characters.nextSetBit(to);
    }
    text.append('\n');
  }

  /**
   * {@code 41-5a>61} is a run with one distance, {@code 958>915} one character, {@code a>b+c} two.
   */
  private static void line(StringBuilder text, String name, Map<Integer, String> map) {
    text.append(name);
    List<Integer> keys = List.copyOf(map.keySet());
    for (int i = 0; i < keys.size(); ) {
      int from = keys.get(i);
      String target = map.get(from);
      int run = 1;
      if (isSingle(target)) {
        while (i + run < keys.size()
            && keys.get(i + run) == from + run
            && map.get(from + run).equals(Character.toString(target.codePointAt(0) + run))) run++;
      }
      text.append(' ').append(Integer.toHexString(from));
      if (run > 1) text.append('-').append(Integer.toHexString(from + run - 1));
      String separator = ">";
      for (int c : target.codePoints().toArray()) {
        text.append(separator).append(Integer.toHexString(c));
        separator = "+";
      }
      i += run;
    }
    text.append('\n');
  }

  private static boolean isSingle(String target) {
    return target.codePointCount(0, target.length()) == 1;
  }

  private static String normalizer(boolean lowercase, boolean stripAccents) {
    return """
    {"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,
    "strip_accents":%s,"lowercase":%s}\
    """
        .formatted(stripAccents, lowercase);
  }

  /** Bytes in, bytes out, with whatever normalizer and pre-tokenizer is to be looked at. */
  private static String json(String normalizer, String preTokenizer) {
    StringBuilder vocabulary = new StringBuilder();
    for (int b = 0; b < 256; b++) {
      if (b > 0) vocabulary.append(',');
      vocabulary.append("\"\\u%04x\":%d".formatted((int) letter(b), b));
    }
    return """
    {"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":%s,
    "pre_tokenizer":{"type":"Sequence","pretokenizers":[%s{"type":"ByteLevel",
    "add_prefix_space":false,"trim_offsets":false,"use_regex":false}]},
    "post_processor":null,"decoder":null,
    "model":{"type":"BPE","dropout":null,"unk_token":null,"continuing_subword_prefix":null,
    "end_of_word_suffix":null,"fuse_unk":false,"byte_fallback":false,"vocab":{%s},"merges":[]}}\
    """
        .formatted(normalizer, preTokenizer, vocabulary);
  }

  private static byte[] bytes(Encoding encoding) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (long id : encoding.getIds()) bytes.write((int) id);
    return bytes.toByteArray();
  }

  /** The letter that stands for a byte in byte-level vocabularies: itself where it is printable. */
  private static char letter(int wanted) {
    int next = 256;
    for (int b = 0; b < 256; b++) {
      boolean printable = (b > 0x20 && b < 0x7f) || (b > 0xa0 && b != 0xad);
      char letter = (char) (printable ? b : next++);
      if (b == wanted) return letter;
    }
    throw new IllegalArgumentException("no byte: " + wanted);
  }
}
