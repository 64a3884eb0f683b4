package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.Problem;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Texts one after the other, from wherever they come. What is wrong names its line. An empty text
 * that is left out still counts, so that a result can be joined with its line.
 */
abstract class Texts implements AutoCloseable {
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
  static Texts of(List<String> texts, boolean skipEmpty) {
    return new Arguments(texts, skipEmpty);
  }

  /**
   * A file, or standard input for {@code -}.
   *
   * @param field whose value is the text in each line, which is JSON then; null for plain lines
   */
  static Texts from(Path file, String field, InputStream standardInput, boolean skipEmpty) {
    return Lines.of(file, field, standardInput, skipEmpty);
  }

  /** The next one, empty or not, or null when there is none. */
  abstract String read();

  /** What a text is called: {@code notes.txt, line 61}. */
  abstract String place(long index);

  /** How much was read, from 0 to 1, or NaN when nobody knows. */
  abstract double part();

  /** The next text, or null when there is none. */
  final String next() {
    for (String text = read(); text != null; text = read()) {
      count++;
      if (!text.isBlank()) return text;
      skip(index());
    }
    return null;
  }

  /** Leaves an empty text out, or says that there is one. */
  void skip(long index) {
    if (!skipEmpty) throw new Problem(absence(index) + "; --skip-empty goes on without it");
    skipped++;
  }

  String absence(long index) {
    return place(index) + ": no text";
  }

  /** The place of the last text in its input, from 0. */
  long index() {
    return count - 1;
  }

  /** Texts so far, empty ones included. */
  long count() {
    return count;
  }

  /** Empty texts so far. */
  long skipped() {
    return skipped;
  }

  /** All that are left, in memory. */
  final HeldTexts held() {
    List<String> texts = new ArrayList<>();
    List<Long> indices = new ArrayList<>();
    for (String text = next(); text != null; text = next()) {
      texts.add(text);
      indices.add(index());
    }
    return new HeldTexts(this, texts, indices);
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
    String place(long index) {
      return texts.size() == 1 ? "the text" : "text %,d".formatted(index + 1);
    }

    @Override
    String absence(long index) {
      return place(index) + " is empty";
    }

    @Override
    double part() {
      return (double) count() / texts.size();
    }
  }
}
