package dev.ridgeline.model.tokenizer;

import static dev.ridgeline.model.tokenizer.Classes.LETTER;
import static dev.ridgeline.model.tokenizer.Classes.NUMBER;
import static dev.ridgeline.model.tokenizer.Classes.OTHER;
import static dev.ridgeline.model.tokenizer.Classes.SPACE;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a text is cut into words before a {@link BytePair} joins the bytes of each: the rules behind
 * the names in {@code tokenizer.ggml.pre}.
 *
 * <p>The originals are regular expressions. Here they are read by hand, one step for each
 * character, so that a long word needs no stack and no text any garbage.
 */
public enum PreTokenizer {
  GPT_2(
      "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
      false,
      Integer.MAX_VALUE),

  /** The same between digits, each of which stands alone. */
  DIGITS_ALONE(GPT_2.pattern, false, 1),

  LLAMA_3(
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}"
          + "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
      true,
      3),

  /** The same with one digit at a time. */
  QWEN_2(LLAMA_3.pattern.replace("{1,3}", ""), true, 1);

  private static final int LONG_S = 0x17f;

  private static final Map<String, PreTokenizer> BY_NAME = byName();

  private final String pattern;
  private final boolean lines;
  private final int digits;

  PreTokenizer(String pattern, boolean lines, int digits) {
    this.pattern = pattern;
    this.lines = lines;
    this.digits = digits;
  }

  private static Map<String, PreTokenizer> byName() {
    Map<String, PreTokenizer> names = new LinkedHashMap<>();
    for (String name : "gpt-2 phi-2 mpt olmo jais trillion mellum granite-docling".split(" ")) {
      names.put(name, GPT_2);
    }
    for (String name : "llama-bpe llama3 llama-v3 falcon3 dbrx smaug-bpe".split(" ")) {
      names.put(name, LLAMA_3);
    }
    for (String name : "qwen2 deepseek-r1-qwen megrez stablelm2".split(" ")) {
      names.put(name, QWEN_2);
    }
    for (String name : "smollm starcoder refact command-r codeshell exaone".split(" ")) {
      names.put(name, DIGITS_ALONE);
    }
    return names;
  }

  /** The regular expression that these rules are, as files of Hugging Face have it. */
  public String pattern() {
    return pattern;
  }

  /** The rules of a name, or null. */
  public static PreTokenizer named(String name) {
    return BY_NAME.get(name);
  }

  /** All names that are known. */
  static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  /** Whether a word that is a token as it stands is not put together from its bytes. */
  static boolean takesWholeWords(String name) {
    return Arrays.asList("llama-bpe", "llama3", "llama-v3", "falcon3").contains(name);
  }

  /**
   * Whether accents are composed before a text is cut. No file says so, and llama.cpp does not; but
   * that is how Qwen was trained.
   */
  public static boolean composes(String name) {
    return name.equals("qwen2");
  }

  /** Where the word ends that begins at an index; the text reaches to another. */
  public int end(CharSequence text, int from, int to) {
    int contraction = contraction(text, from, to);
    if (contraction > 0) return from + contraction;
    return lines ? endWithLines(text, from, to) : endWithoutLines(text, from, to);
  }

  private int endWithoutLines(CharSequence text, int from, int to) {
    int first = Utf8.at(text, from);
    int kind = Classes.of(first);
    if (kind == NUMBER && digits == 1) return from + Character.charCount(first);
    if (first == ' ' && from + 1 < to) {
      int next = Classes.of(Utf8.at(text, from + 1));
      boolean joins = next != SPACE && (next != NUMBER || digits > 1);
      if (joins) return run(text, from + 1, to, next);
    }
    if (kind != SPACE) return run(text, from, to, kind);
    int end = run(text, from, to, SPACE);
    // The last space belongs to the word behind it, but digits that stand alone are the end of all.
    boolean atEnd = end == to || (digits == 1 && Classes.of(Utf8.at(text, end)) == NUMBER);
    return atEnd || end == from + 1 ? end : end - 1;
  }

  private int endWithLines(CharSequence text, int from, int to) {
    int first = Utf8.at(text, from);
    int second = from + Character.charCount(first);
    int kind = Classes.of(first);
    int next = second < to ? Classes.of(Utf8.at(text, second)) : SPACE;
    if (kind == LETTER) return run(text, from, to, LETTER);
    if (kind == NUMBER) return numbers(text, second, to);
    if (next == LETTER && !endsLine(first)) return run(text, second, to, LETTER);
    if (kind == OTHER) return lineEnds(text, run(text, from, to, OTHER), to);
    if (first == ' ' && next == OTHER) return lineEnds(text, run(text, second, to, OTHER), to);
    int end = run(text, from, to, SPACE);
    // Every space is one char, so going back needs no care for pairs.
    for (int at = end; at > from; at--) if (endsLine(text.charAt(at - 1))) return at;
    return end == to || end == second ? end : end - 1;
  }

  private int numbers(CharSequence text, int at, int to) {
    for (int count = 1; count < digits && at < to; count++) {
      int character = Utf8.at(text, at);
      if (Classes.of(character) != NUMBER) break;
      at += Character.charCount(character);
    }
    return at;
  }

  private static int run(CharSequence text, int at, int to, int kind) {
    while (at < to) {
      int character = Utf8.at(text, at);
      if (Classes.of(character) != kind) break;
      at += Character.charCount(character);
    }
    return at;
  }

  private static int lineEnds(CharSequence text, int at, int to) {
    while (at < to && endsLine(text.charAt(at))) at++;
    return at;
  }

  private static boolean endsLine(int character) {
    return character == '\r' || character == '\n';
  }

  /** How long the end of {@code it's} or {@code we'll} is that stands here, or 0. */
  private int contraction(CharSequence text, int from, int to) {
    if (text.charAt(from) != '\'' || from + 1 == to) return 0;
    char first = folded(text.charAt(from + 1));
    switch (first) {
      case 's', 't', 'm', 'd' -> {
        return 2;
      }
      case 'r', 'v', 'l' -> {
        if (from + 2 == to) return 0;
        return folded(text.charAt(from + 2)) == (first == 'l' ? 'l' : 'e') ? 3 : 0;
      }
      default -> {
        return 0;
      }
    }
  }

  /** Capitals are alike only to the newer rules, and so is the old long s. */
  private char folded(char letter) {
    if (!lines) return letter;
    if (letter >= 'A' && letter <= 'Z') return (char) (letter + ('a' - 'A'));
    return letter == LONG_S ? 's' : letter;
  }
}
