package dev.ridgeline.tensor.gguf;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a GGUF file says about itself: keys and their values.
 *
 * <p>Values are read out of the mapped file when they are asked for, so a vocabulary costs nothing
 * until a tokenizer wants it; ask before the file is closed. A key that is missing or holds
 * something else is a {@link GgufException} that names it.
 */
public final class Metadata {
  private final Path path;
  private final Map<String, Entry> entries;

  Metadata(Path path, Map<String, Entry> entries) {
    this.path = path;
    this.entries = entries;
  }

  /** The file that says all this, for whoever finds a mistake in it. */
  public Path path() {
    return path;
  }

  /** All keys, in the file's order. */
  public Set<String> keys() {
    return Collections.unmodifiableSet(entries.keySet());
  }

  public boolean has(String key) {
    return entries.containsKey(key);
  }

  /** What a key holds, in a word: {@code u32}, {@code string}, {@code f32[32000]}. */
  public String kind(String key) {
    return entry(key).kind();
  }

  /** How many values an array has; −1 for all else. */
  public int count(String key) {
    return (int) entry(key).count();
  }

  /**
   * A value as Java has it: {@code Integer}, or {@code Long} for 64 bits and what needs them;
   * {@code Float}, {@code Double}, {@code Boolean}, {@code String}; {@code List<String>}, {@code
   * int[]}, {@code long[]}, {@code float[]}, {@code double[]}, {@code boolean[]}.
   */
  public Object value(String key) {
    return value(entry(key));
  }

  /** A value as {@link #value} gives it, but of an array no more than its first elements. */
  public Object value(String key, int most) {
    Entry entry = entry(key);
    return value(entry.array() ? entry.first(most) : entry);
  }

  public String string(String key) {
    return one(key, entry(key).type() == ValueType.STRING, "a string").string();
  }

  public String string(String key, String fallback) {
    return has(key) ? string(key) : fallback;
  }

  /** A whole number of any width, if it fits. */
  public int integer(String key) {
    return one(key, entry(key).type().whole(), "a whole number").integer();
  }

  public int integer(String key, int fallback) {
    return has(key) ? integer(key) : fallback;
  }

  public float floating(String key) {
    return (float) one(key, entry(key).type().floating(), "a floating-point number").floating();
  }

  public float floating(String key, float fallback) {
    return has(key) ? floating(key) : fallback;
  }

  public boolean flag(String key) {
    return one(key, entry(key).type() == ValueType.BOOL, "true or false").flag();
  }

  public boolean flag(String key, boolean fallback) {
    return has(key) ? flag(key) : fallback;
  }

  public List<String> strings(String key) {
    return many(key, entry(key).type() == ValueType.STRING, "strings").strings();
  }

  public float[] floats(String key) {
    return many(key, entry(key).type().floating(), "floating-point numbers").floats();
  }

  /** Whole numbers of any width, if they fit. */
  public int[] integers(String key) {
    return many(key, entry(key).type().whole(), "whole numbers").integers();
  }

  public boolean[] flags(String key) {
    return many(key, entry(key).type() == ValueType.BOOL, "true and false").flags();
  }

  /** A value as the file has it, type first. */
  MemorySegment encoded(String key) {
    return entry(key).encoded();
  }

  private Entry entry(String key) {
    Entry entry = entries.get(key);
    if (entry == null) throw new GgufException(path, "has no metadata " + key);
    return entry;
  }

  private Entry one(String key, boolean fits, String wanted) {
    Entry entry = entry(key);
    if (fits && !entry.array()) return entry;
    throw entry.wrong("is %s, not %s".formatted(entry.kind(), wanted));
  }

  private Entry many(String key, boolean fits, String wanted) {
    Entry entry = entry(key);
    if (fits && entry.array()) return entry;
    throw entry.wrong("is %s, not an array of %s".formatted(entry.kind(), wanted));
  }

  private static Object value(Entry entry) {
    return entry.array() ? many(entry) : one(entry);
  }

  private static Object one(Entry entry) {
    return switch (entry.type()) {
      case U8, I8, U16, I16, I32 -> entry.integer();
      case U32 -> narrowed(entry.whole());
      case U64, I64 -> entry.whole();
      case F32 -> (float) entry.floating();
      case F64 -> entry.floating();
      case BOOL -> entry.flag();
      default -> entry.string();
    };
  }

  private static Object many(Entry entry) {
    return switch (entry.type()) {
      case U8, I8, U16, I16, I32 -> entry.integers();
      case U32, U64, I64 -> entry.wholes();
      case F32 -> entry.floats();
      case F64 -> entry.doubles();
      case BOOL -> entry.flags();
      default -> entry.strings();
    };
  }

  private static Object narrowed(long value) {
    if ((int) value == value) return (int) value;
    return value;
  }
}
