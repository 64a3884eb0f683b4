package dev.ridgeline.model;

import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;

/**
 * Keys and values of the tokens that sequences have behind them, in pages of {@link #PAGE} tokens.
 *
 * <p>All pages are planned at once and entered in the profiler's ledger as {@code kv cache}. A page
 * belongs to whoever {@link #take takes} it; sequences that begin alike {@link #share} the pages of
 * their beginning, and a page is free again when each has {@link #release released} it. Nothing of
 * this allocates. One thread at a time.
 */
public final class KvCache implements AutoCloseable {
  /** Tokens of a page. */
  public static final int PAGE = Device.PAGE;

  private static final String OWNER = "kv cache";

  /**
   * What a model keeps of each token.
   *
   * @param kvHeads of a layer
   * @param keyWidth numbers of a head's key
   * @param valueWidth numbers of a head's value
   */
  public record Shape(int layers, int kvHeads, int keyWidth, int valueWidth) {
    /** What a page of all layers takes. */
    public long pageBytes(TensorType type) {
      return type.bytes((long) PAGE * layers * kvHeads * (keyWidth + valueWidth));
    }
  }

  private final Shape shape;
  private final TensorType type;
  private final Tensor[] keys;
  private final Tensor[] values;

  /** How many sequences hold each page. */
  private final int[] holders;

  /** The free pages, the next one last. */
  private final int[] free;

  private int freeCount;

  /**
   * Plans the pages of all layers.
   *
   * @param type f32 or f16
   */
  public KvCache(Device device, Shape shape, TensorType type, int pages) {
    if (type != TensorType.F32 && type != TensorType.F16) {
      throw new IllegalArgumentException("a cache of " + type.word() + "; f32 or f16");
    }
    if (pages < 1) throw new IllegalArgumentException("a cache of " + pages + " pages");
    this.shape = shape;
    this.type = type;
    this.keys = new Tensor[shape.layers()];
    this.values = new Tensor[shape.layers()];
    this.holders = new int[pages];
    this.free = new int[pages];
    this.freeCount = pages;
    for (int i = 0; i < pages; i++) free[i] = pages - 1 - i;
    try {
      for (int layer = 0; layer < shape.layers(); layer++) {
        int heads = shape.kvHeads();
        keys[layer] = device.cache(OWNER, Layout.KEYS, type, pages, heads, shape.keyWidth());
        values[layer] = device.cache(OWNER, Layout.VALUES, type, pages, heads, shape.valueWidth());
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Pages that so many tokens need. */
  public static int pagesFor(int tokens) {
    return Math.ceilDiv(tokens, PAGE);
  }

  public Shape shape() {
    return shape;
  }

  /** What is planned with this cache must be of its shape. */
  public void requireShape(Shape needed) {
    if (!shape.equals(needed)) {
      throw new IllegalArgumentException("a cache for %s, not for %s".formatted(shape, needed));
    }
  }

  public TensorType type() {
    return type;
  }

  /** Tokens of the longest sequence that has room. */
  public int tokens() {
    return (int) Math.min(Integer.MAX_VALUE, (long) pages() * PAGE);
  }

  /** All pages, free or not. */
  public int pages() {
    return holders.length;
  }

  /** What all pages take. */
  public long bytes() {
    return pages() * shape.pageBytes(type);
  }

  /** Pages that nobody holds. */
  public int free() {
    return freeCount;
  }

  /** The keys of a layer, all pages. */
  public Tensor keys(int layer) {
    return keys[layer];
  }

  /** The values of a layer, all pages. */
  public Tensor values(int layer) {
    return values[layer];
  }

  /** A free page, with one holder now; ask {@link #free} first whether there is one. */
  public int take() {
    if (freeCount == 0) {
      throw new IllegalStateException("all %d pages of the cache are held".formatted(pages()));
    }
    int page = free[--freeCount];
    holders[page] = 1;
    return page;
  }

  /** One more holds this page. */
  public void share(int page) {
    held(page);
    holders[page]++;
  }

  /** One less holds this page; nobody: it is free. */
  public void release(int page) {
    held(page);
    if (--holders[page] == 0) free[freeCount++] = page;
  }

  /** How many hold a page. */
  public int holders(int page) {
    return holders[page];
  }

  /** Copies a page of all layers: a sequence goes on from what another has begun. */
  public void copy(Ops ops, int from, int to) {
    held(from);
    held(to);
    for (int layer = 0; layer < keys.length; layer++) {
      ops.copyPage(keys[layer], from, to);
      ops.copyPage(values[layer], from, to);
    }
  }

  private void held(int page) {
    if (holders[page] == 0) throw new IllegalStateException("nobody holds page " + page);
  }

  @Override
  public void close() {
    for (Tensor tensor : keys) if (tensor != null) tensor.close();
    for (Tensor tensor : values) if (tensor != null) tensor.close();
  }
}
