package dev.ridgeline.model.pass;

import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;

/**
 * Keys and values of the tokens that sequences have behind them, in pages of {@link Device#PAGE}
 * tokens. They are entered in the profiler's ledger as {@code kv cache}.
 */
public final class KvCache implements SequenceMemory {
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
    /** Those of a kind of model. */
    public static Shape of(dev.ridgeline.model.shape.Shape model) {
      return new Shape(model.layers(), model.kvHeads(), model.headWidth(), model.headWidth());
    }

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

  /** Pages for so many sequences of so many tokens. */
  public static KvCache planned(
      Device device, Shape shape, TensorType type, int sequences, int context) {
    long pages = (long) sequences * Math.ceilDiv(context, PAGE);
    if (pages > Integer.MAX_VALUE / PAGE) {
      throw new ModelException(
          "%d sequences of %d tokens: too many to plan for".formatted(sequences, context));
    }
    return new KvCache(device, shape, type, (int) pages);
  }

  /** What a pass is given to remember in, which must be a cache of its shape. */
  public static KvCache of(SequenceMemory memory, Shape needed) {
    if (memory instanceof KvCache cache && cache.shape.equals(needed)) return cache;
    throw new IllegalArgumentException(
        "%s, not a cache for %s".formatted(memory.description(), needed));
  }

  @Override
  public int pageTokens() {
    return PAGE;
  }

  @Override
  public String description() {
    return "%s, %,d pages of %d tokens".formatted(type.word(), pages(), PAGE);
  }

  public Shape shape() {
    return shape;
  }

  /** Tokens of the longest sequence that has room. */
  public int tokens() {
    return (int) Math.min(Integer.MAX_VALUE, (long) pages() * PAGE);
  }

  @Override
  public int pages() {
    return holders.length;
  }

  @Override
  public long bytes() {
    return pages() * shape.pageBytes(type);
  }

  @Override
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

  @Override
  public int take() {
    if (freeCount == 0) {
      throw new IllegalStateException("all %d pages of the cache are held".formatted(pages()));
    }
    int page = free[--freeCount];
    holders[page] = 1;
    return page;
  }

  @Override
  public void share(int page) {
    held(page);
    holders[page]++;
  }

  @Override
  public void release(int page) {
    held(page);
    if (--holders[page] == 0) free[freeCount++] = page;
  }

  @Override
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
