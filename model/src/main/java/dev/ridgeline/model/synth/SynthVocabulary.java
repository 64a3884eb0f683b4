package dev.ridgeline.model.synth;

import static dev.ridgeline.model.draft.GgufVocabulary.SPACE;

import dev.ridgeline.model.draft.GgufVocabulary;
import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Vocabularies of real sizes that cut any text into pieces about as long as real ones do: single
 * characters, common words of English, every pair and many triples of letters, and made-up words.
 */
final class SynthVocabulary {
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";
  private static final String CONSONANTS = "tnrslcdmpghbfvwkyjxzq";
  private static final String VOWELS = "eaoiu";
  private static final List<String> SYLLABLES = syllables();

  /** The commonest words of English, which are half of all running text. */
  private static final String WORDS =
      """
      the of and to in is you that it he was for on are as with his they at be this have from or
      one had by word but not what all were we when your can said there use an each which she do
      how their if will up other about out many then them these so some her would make like him
      into time has look two more write go see number no way could people my than first water been
      call who oil its now find long down day did get come made may part over new sound take only
      little work know place year live me back give most very after thing our just name good
      sentence man think say great where help through much before line right too mean old any same
      tell boy follow came want show also around form three small set put end does another well
      large must big even such because turn here why ask went men read need land different home us
      move try kind hand picture again change off play spell air away animal house point page
      letter mother answer found study still learn should world high every near add food between
      own below country plant last school father keep tree never start city earth eye light thought
      """;

  /** Fewer tokens than this have no room for the characters of all scripts. */
  private static final int FEW = 1_000;

  private SynthVocabulary() {}

  /** One as BERT has it; the special tokens have the ids of BERT's. */
  static GgufVocabulary wordPiece(int size) {
    Set<String> tokens = new LinkedHashSet<>();
    tokens.add("[PAD]");
    while (tokens.size() < 100) tokens.add("[unused" + (tokens.size() - 1) + "]");
    tokens.addAll(List.of("[UNK]", "[CLS]", "[SEP]", "[MASK]"));
    for (String character : characters(false)) {
      tokens.add(character);
      tokens.add("##" + character);
    }
    tokens.addAll(words());
    for (String pair : pairs()) {
      tokens.add(pair);
      tokens.add("##" + pair);
    }
    for (String triple : triples()) tokens.add("##" + triple);
    fill(tokens, size, "");
    List<String> spelled = new ArrayList<>(size);
    int[] kinds = new int[size];
    for (String token : tokens) {
      int id = spelled.size();
      boolean special = id == 0 || (id >= 100 && id <= 103);
      Kind kind = special ? Kind.CONTROL : Kind.NORMAL;
      kinds[id] = kind.number();
      spelled.add(GgufVocabulary.wordPiece(token, kind));
    }
    Map<String, Object> keys = GgufVocabulary.wordPieceKeys(101, 102, 0, 100, 103, true, true);
    return new GgufVocabulary("bert", spelled, null, kinds, keys);
  }

  /**
   * One as Gemma has it; the special tokens and bytes have the ids of Gemma's. A small one ends
   * among the single characters, and the others are spelled in bytes.
   *
   * @param addEos whether each text ends with a token that says so
   */
  static GgufVocabulary gemma(int size, boolean addEos) {
    Set<String> tokens = new LinkedHashSet<>(List.of("<pad>", "<eos>", "<bos>", "<unk>", "<mask>"));
    while (tokens.size() < 238) tokens.add("<unused" + (tokens.size() - 5) + ">");
    Map<String, Object> keys = GgufVocabulary.sentencePieceKeys(2, 1, 0, 3, 4, true, addEos);
    return sentencePiece(size, tokens, 3, false, keys);
  }

  /** One as Llama 2 has it; the special tokens and bytes have the ids of Llama's. */
  static GgufVocabulary llama2(int size) {
    Set<String> tokens = new LinkedHashSet<>(List.of("<unk>", "<s>", "</s>"));
    Map<String, Object> keys = GgufVocabulary.sentencePieceKeys(1, 2, -1, 0, -1, true, false);
    keys.put("add_space_prefix", true);
    return sentencePiece(size, tokens, 0, size < FEW, keys);
  }

  /**
   * @param tokens those before the bytes
   * @param unknown the id of the one for what cannot be spelled
   * @param wordsFirst whether common words come before the characters of all scripts
   */
  private static GgufVocabulary sentencePiece(
      int size, Set<String> tokens, int unknown, boolean wordsFirst, Map<String, Object> keys) {
    int firstByte = tokens.size();
    for (int b = 0; b < 256; b++) tokens.add("<0x%02X>".formatted(b));
    int firstPiece = tokens.size();
    tokens.add(SPACE);
    if (wordsFirst) addFew(tokens);
    tokens.addAll(characters(true));
    // Shorter pieces come first and so merge first: every longer one can be reached.
    for (int i = 0; i < LETTERS.length(); i++) tokens.add(SPACE + LETTERS.charAt(i));
    for (String pair : pairs()) {
      tokens.add(pair);
      tokens.add(SPACE + pair);
    }
    for (String triple : triples()) {
      tokens.add(triple);
      tokens.add(SPACE + triple);
    }
    for (String word : words()) addWithBeginnings(tokens, word, 4);
    fill(tokens, size, SPACE);
    List<String> spelled = tokens.stream().limit(size).toList();
    int[] kinds = new int[size];
    float[] scores = new float[size];
    for (int id = 0; id < size; id++) {
      Kind other = id < firstPiece ? Kind.BYTE : Kind.NORMAL;
      Kind kind = id == unknown ? Kind.UNKNOWN : id < firstByte ? Kind.CONTROL : other;
      kinds[id] = kind.number();
      scores[id] = id < firstPiece ? 0 : firstPiece - id;
    }
    return new GgufVocabulary("llama", spelled, scores, kinds, keys);
  }

  /** What a vocabulary without room for all scripts has instead: the commonest words. */
  private static void addFew(Set<String> tokens) {
    for (char c = '!'; c <= '~'; c++) tokens.add(Character.toString(c));
    for (int i = 0; i < LETTERS.length(); i++) tokens.add(SPACE + LETTERS.charAt(i));
    for (String word : words()) addWithBeginnings(tokens, word, 2);
  }

  /** One as GPT-2 has it. */
  static GgufVocabulary gpt2(int size) {
    return SynthMerges.vocabulary(
        "gpt-2",
        size,
        List.of("<|endoftext|>"),
        words(),
        Map.of("bos_token_id", size - 1, "eos_token_id", size - 1));
  }

  /** One as Llama 3 has it: 256 special tokens at the end, or a few in a small one. */
  static GgufVocabulary llama3(int size) {
    List<String> specials =
        new ArrayList<>(
            List.of(
                "<|begin_of_text|>",
                "<|end_of_text|>",
                "<|reserved_special_token_0|>",
                "<|reserved_special_token_1|>",
                "<|finetune_right_pad_id|>",
                "<|reserved_special_token_2|>",
                "<|start_header_id|>",
                "<|end_header_id|>",
                "<|eom_id|>",
                "<|eot_id|>",
                "<|python_tag|>"));
    int count = size > 100_000 ? 256 : 16;
    for (int i = 3; specials.size() < count; i++) {
      specials.add("<|reserved_special_token_" + i + "|>");
    }
    int first = size - count;
    return SynthMerges.vocabulary(
        "llama-bpe",
        size,
        specials,
        words(),
        Map.of("bos_token_id", first, "eos_token_id", first + 9, "add_bos_token", true));
  }

  /**
   * One as Qwen has it: special tokens, then some that nothing uses.
   *
   * @param addEos whether each text ends with a token that says so
   */
  static GgufVocabulary qwen(int size, boolean addEos) {
    List<String> specials = new ArrayList<>(List.of("<|endoftext|>", "<|im_start|>", "<|im_end|>"));
    int count = size > 100_000 ? 293 : 16;
    while (specials.size() < count) specials.add("[PAD" + (size - count + specials.size()) + "]");
    int first = size - count;
    return SynthMerges.vocabulary(
        "qwen2",
        size,
        specials,
        words(),
        Map.of(
            "eos_token_id",
            addEos ? first : first + 2,
            "padding_token_id",
            first,
            "add_bos_token",
            false,
            "add_eos_token",
            addEos));
  }

  private static List<String> words() {
    return List.of(WORDS.split("\\s+"));
  }

  private static void addWithBeginnings(Set<String> tokens, String word, int shortest) {
    for (int end = shortest; end <= word.length(); end++)
      tokens.add(SPACE + word.substring(0, end));
  }

  /** Printable characters of scripts that texts for tests are made of. */
  private static List<String> characters(boolean capitals) {
    List<String> characters = new ArrayList<>();
    int[][] ranges = {
      {'!', '~'},
      {0xa1, 0x17f},
      {0x370, 0x3ff},
      {0x400, 0x45f},
      {0x5d0, 0x5ea},
      {0x621, 0x64a},
      {0x905, 0x939},
      {0x2010, 0x2027},
      {0x20a0, 0x20bf},
      {0x2190, 0x21ff},
      {0x3001, 0x301f},
      {0x3041, 0x30fe},
      {0x4e00, 0x53ff}
    };
    for (int[] range : ranges) {
      for (int c = range[0]; c <= range[1]; c++) {
        boolean drop = !Character.isDefined(c) || (!capitals && Character.isUpperCase(c));
        if (!drop) characters.add(Character.toString(c));
      }
    }
    return characters;
  }

  static List<String> pairs() {
    List<String> pairs = new ArrayList<>();
    for (char a : LETTERS.toCharArray()) for (char b : LETTERS.toCharArray()) pairs.add("" + a + b);
    return pairs;
  }

  private static List<String> triples() {
    List<String> triples = new ArrayList<>();
    for (String pair : pairs()) for (char c : LETTERS.toCharArray()) triples.add(pair + c);
    return triples;
  }

  /** Adds made-up words up to the size. */
  private static void fill(Set<String> tokens, int size, String mark) {
    for (int i = 1; tokens.size() < size; i++) tokens.add(mark + madeUp(i));
  }

  /**
   * A word of syllables: all of them from 1 on, shorter and commoner ones first. Its number is
   * written with syllables for digits, of which none is a zero.
   */
  static String madeUp(int index) {
    String word = "";
    for (int left = index; left > 0; left = (left - 1) / SYLLABLES.size()) {
      word = SYLLABLES.get((left - 1) % SYLLABLES.size()) + word;
    }
    return word;
  }

  private static List<String> syllables() {
    List<String> syllables = new ArrayList<>();
    for (char consonant : CONSONANTS.toCharArray()) {
      for (char vowel : VOWELS.toCharArray()) syllables.add("" + consonant + vowel);
    }
    return syllables;
  }
}
