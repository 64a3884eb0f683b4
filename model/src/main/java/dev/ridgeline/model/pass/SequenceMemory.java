package dev.ridgeline.model.pass;

/**
 * The state that sequences keep for tokens they have already seen: keys and values, or a recurrent
 * state. The model decides which; a device stores it, in pages that are all allocated up front.
 *
 * <p>A page belongs to whoever {@link #take takes} it; sequences that begin alike {@link #share}
 * the pages of their beginning, and a page is free again when each has {@link #release released}
 * it. Nothing of this allocates. One thread at a time.
 */
public interface SequenceMemory extends AutoCloseable {
  /** Tokens that a page remembers: what sequences share is whole pages. */
  int pageTokens();

  /** Pages that so many tokens need. */
  default int pagesFor(int tokens) {
    return Math.ceilDiv(tokens, pageTokens());
  }

  /** All pages, free or not. */
  int pages();

  /** Pages that nobody holds. */
  int free();

  /** What all pages take. */
  long bytes();

  /** What it is, in a few words: {@code f16, 128 pages of 32 tokens}. */
  String description();

  /** A free page, with one holder now; ask {@link #free} first whether there is one. */
  int take();

  /** One more holds this page. */
  void share(int page);

  /** One less holds this page; nobody: it is free. */
  void release(int page);

  /** How many hold a page. */
  int holders(int page);

  @Override
  void close();
}
