package dev.ridgeline.cli.texts;

import java.util.List;

/** Texts in memory, which still know where they came from. */
public final class HeldTexts extends Texts {
  private final Texts origin;
  private final List<Entry> entries;

  HeldTexts(Texts origin, List<Entry> entries) {
    super(false);
    this.origin = origin;
    this.entries = entries;
  }

  /** The same from the beginning. */
  public HeldTexts again() {
    return new HeldTexts(origin, entries);
  }

  @Override
  String read() {
    return count() < entries.size() ? entries.get((int) count()).text() : null;
  }

  private Entry last() {
    return entries.get((int) count() - 1);
  }

  @Override
  public long index() {
    return last().index();
  }

  @Override
  String fields() {
    return last().fields();
  }

  @Override
  public boolean inLines() {
    return origin.inLines();
  }

  @Override
  public void skip(long index) {
    origin.skip(index);
  }

  @Override
  public String place(long index) {
    return origin.place(index);
  }

  @Override
  public double part() {
    return (double) count() / entries.size();
  }
}
