package dev.ridgeline.cli.texts;

import dev.ridgeline.cli.line.Problem;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Texts one after the other, from wherever they come. What is wrong names its line. An empty text
 * that is left out still counts, so that a result can be joined with its line.
 */
public abstract class Texts implements AutoCloseable {
  private final boolean skipEmpty;
  private long count;
  private long skipped;

  Texts(boolean skipEmpty) {
    this.skipEmpty = skipEmpty;
  }

  /**
   * Texts that are there already.
   *
   * @param skipEmpty whether a text with nothing in it is left out, not refused
   */
  public static Texts of(List<String> texts, boolean skipEmpty) {
    return new Arguments(texts, skipEmpty);
  }

  /**
   * A file, or standard input for {@code -}.
   *
   * @param field whose value is the text in each line, which is JSON then; null for plain lines
   * @param withFields whether entries have the other fields of their lines, too
   */
  public static Texts from(
      Path file, String field, InputStream standardInput, boolean skipEmpty, boolean withFields) {
    return Lines.of(file, field, standardInput, skipEmpty, withFields);
  }

  /** The next one, empty or not, or null when there is none. */
  abstract String read();

  /** What a text is called: {@code notes.txt, line 61}. */
  public abstract String place(long index);

  /** How much was read, from 0 to 1, or NaN when nobody knows. */
  public abstract double part();

  /** The next text, or null when there is none. */
  public final String next() {
    for (String text = read(); text != null; text = read()) {
      count++;
      if (!text.isBlank()) return text;
      skip(index());
    }
    return null;
  }

  /** The next text with all that is known of it, or null when there is none. */
  public final Entry entry() {
    String text = next();
    return text == null ? null : new Entry(index(), text, fields());
  }

  /** What else the line of the last text says, as a JSON object, or null. */
  String fields() {
    return null;
  }

  /** Whether each text is a line of its input. */
  public boolean inLines() {
    return false;
  }

  /** Leaves an empty text out, or says that there is one. */
  public void skip(long index) {
    if (!skipEmpty) throw new Problem(absence(index) + "; --skip-empty goes on without it");
    skipped++;
  }

  String absence(long index) {
    return place(index) + ": no text";
  }

  /** The place of the last text in its input, from 0. */
  public long index() {
    return count - 1;
  }

  /** Texts so far, empty ones included. */
  public long count() {
    return count;
  }

  /** Empty texts so far. */
  public long skipped() {
    return skipped;
  }

  /** All that are left, in memory. */
  public final HeldTexts held() {
    List<Entry> entries = new ArrayList<>();
    for (Entry entry = entry(); entry != null; entry = entry()) entries.add(entry);
    return new HeldTexts(this, entries);
  }

  @Override
  public void close() {}

  private static final class Arguments extends Texts {
    private final List<String> texts;

    Arguments(List<String> texts, boolean skipEmpty) {
      super(skipEmpty);
      this.texts = texts;
    }

    @Override
    String read() {
      return count() < texts.size() ? texts.get((int) count()) : null;
    }

    @Override
    public String place(long index) {
      return texts.size() == 1 ? "the text" : "text %,d".formatted(index + 1);
    }

    @Override
    String absence(long index) {
      return place(index) + " is empty";
    }

    @Override
    public double part() {
      return (double) count() / texts.size();
    }
  }
}
