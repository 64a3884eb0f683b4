package dev.ridgeline.train.tokenizer;

import dev.ridgeline.model.tokenizer.ByteLetters;
import dev.ridgeline.model.tokenizer.PreTokenizer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Learns byte-level BPE: of all pairs of neighbours within words, the most frequent becomes a
 * token, again and again (Sennrich, Haddow and Birch, "Neural machine translation of rare words
 * with subword units", 2016), with the words and letters of GPT-2.
 *
 * <p>Words are counted once; a merge then touches only the words that have the pair, and the next
 * pair comes from a heap. Of pairs as frequent as each other the one with the smaller first id
 * wins, then that with the smaller second: the same texts make the same tokens in whatever order
 * they come.
 */
public final class BytePairTrainer {
  private static final PreTokenizer WORDS = PreTokenizer.named(Codebook.RULES);

  /** What is longer is no word, and would be gone through for each merge: counted in parts. */
  private static final int LONGEST_WORD = 256;

  /** A pair that is there once says nothing of other texts. */
  private static final int LEAST = 2;

  private final Map<String, long[]> counts = new LinkedHashMap<>();

  /** A word as tokens, which get fewer. */
  private static final class Word {
    final long count;
    int[] tokens;

    Word(String text, long count) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      this.count = count;
      tokens = new int[bytes.length];
      for (int i = 0; i < bytes.length; i++) tokens[i] = bytes[i] & 0xff;
    }
  }

  /** Two neighbours, how often they are, and in which words. */
  private static final class Pair {
    final int left;
    final int right;
    long count;

    /** Some words may be there twice, and some have lost the pair. */
    int[] words = new int[4];

    int used;

    Pair(long key) {
      left = (int) (key >>> 32);
      right = (int) key;
    }

    void in(int word) {
      if (used > 0 && words[used - 1] == word) return;
      if (used == words.length) words = Arrays.copyOf(words, used * 2);
      words[used++] = word;
    }
  }

  /** A pair as frequent as it was when this was put into the heap. */
  private record Candidate(long count, Pair pair) {
    static final Comparator<Candidate> BEST_FIRST =
        Comparator.comparingLong((Candidate c) -> -c.count)
            .thenComparingInt(c -> c.pair.left)
            .thenComparingInt(c -> c.pair.right);
  }

  /** Counts the words of a text. */
  public void add(CharSequence text) {
    add(text, 0, text.length());
  }

  /** Counts the words of a part of a text. */
  public void add(CharSequence text, int from, int to) {
    while (from < to) {
      int end = WORDS.end(text, from, to);
      for (int at = from; at < end; ) {
        int cut = Math.min(end, at + LONGEST_WORD);
        // Not between the halves of a character.
        if (cut < end && Character.isLowSurrogate(text.charAt(cut))) cut--;
        count(text.subSequence(at, cut).toString());
        at = cut;
      }
      from = end;
    }
  }

  private void count(String word) {
    long[] count = counts.get(word);
    if (count == null) counts.put(word, new long[] {1});
    else count[0]++;
  }

  /** Different words so far. */
  public int words() {
    return counts.size();
  }

  /**
   * Makes tokens of what was counted.
   *
   * @param size all tokens together: 256 bytes, the one that ends texts, and merges; fewer where no
   *     pair is there twice any more
   */
  public Codebook train(int size) {
    return new Learning().run(size);
  }

  private final class Learning {
    private final List<Word> words = new ArrayList<>();
    private final Map<Long, Pair> pairs = new HashMap<>();
    private final PriorityQueue<Candidate> heap = new PriorityQueue<>(Candidate.BEST_FIRST);
    private final List<String> tokens = new ArrayList<>();
    private final Map<String, Integer> ids = new HashMap<>();
    private final List<String> merges = new ArrayList<>();
    private final Set<Long> merged = new HashSet<>();

    /** Pairs that the merge at hand has made more frequent. */
    private final Set<Pair> raised = new HashSet<>();

    Codebook run(int size) {
      for (int b = 0; b < 256; b++) token(String.valueOf(ByteLetters.letter(b)));
      counts.forEach((text, count) -> words.add(new Word(text, count[0])));
      for (int i = 0; i < words.size(); i++) change(i, 1);
      for (Pair pair : pairs.values()) heap.add(new Candidate(pair.count, pair));
      while (tokens.size() < size - 1) {
        Pair best = best();
        if (best == null) break;
        merge(best);
      }
      return Codebook.byteLevel(tokens.subList(256, tokens.size()), merges);
    }

    /** The id of a token, a new one where it is new: two pairs may spell the same. */
    private int token(String spelled) {
      Integer known = ids.putIfAbsent(spelled, tokens.size());
      if (known != null) return known;
      tokens.add(spelled);
      return tokens.size() - 1;
    }

    private Pair best() {
      for (Candidate first = heap.poll(); first != null; first = heap.poll()) {
        Pair pair = first.pair;
        if (pair.count == first.count) return pair.count < LEAST ? null : pair;
        // Where it became more frequent, another entry says so.
        if (pair.count < first.count && pair.count > 0) heap.add(new Candidate(pair.count, pair));
      }
      return null;
    }

    private void merge(Pair pair) {
      String left = tokens.get(pair.left);
      String right = tokens.get(pair.right);
      int made = token(left + right);
      // Where two pairs spell the same token, a pair may come again that was merged before.
      if (merged.add(key(pair.left, pair.right))) merges.add(left + " " + right);
      int[] in = Arrays.copyOf(pair.words, pair.used);
      for (int index : in) {
        Word word = words.get(index);
        if (!has(word, pair)) continue;
        change(index, -1);
        word.tokens = joined(word.tokens, pair, made);
        change(index, 1);
        for (int i = 0; i + 1 < word.tokens.length; i++) {
          if (word.tokens[i] == made || word.tokens[i + 1] == made) raised.add(at(word, i));
        }
      }
      // They are more frequent now than any entry of theirs says.
      for (Pair each : raised) if (each.count >= LEAST) heap.add(new Candidate(each.count, each));
      raised.clear();
      pairs.remove(key(pair.left, pair.right));
    }

    private static boolean has(Word word, Pair pair) {
      for (int i = 0; i + 1 < word.tokens.length; i++) {
        if (word.tokens[i] == pair.left && word.tokens[i + 1] == pair.right) return true;
      }
      return false;
    }

    /** From left to right: of three in a row the first two. */
    private static int[] joined(int[] tokens, Pair pair, int made) {
      int[] joined = new int[tokens.length];
      int count = 0;
      for (int i = 0; i < tokens.length; i++) {
        boolean joins =
            i + 1 < tokens.length && tokens[i] == pair.left && tokens[i + 1] == pair.right;
        joined[count++] = joins ? made : tokens[i];
        if (joins) i++;
      }
      return Arrays.copyOf(joined, count);
    }

    /** Adds the pairs of a word, or takes them away. */
    private void change(int index, int sign) {
      Word word = words.get(index);
      for (int i = 0; i + 1 < word.tokens.length; i++) {
        Pair pair = at(word, i);
        pair.count += sign * word.count;
        if (sign > 0) pair.in(index);
      }
    }

    private Pair at(Word word, int i) {
      long key = key(word.tokens[i], word.tokens[i + 1]);
      return pairs.computeIfAbsent(key, Pair::new);
    }
  }

  private static long key(int left, int right) {
    return (long) left << 32 | right;
  }
}
