package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Projection;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.tune.Tunable;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Products of the same rows, cut into units: bands of rows, and groups of panels of outputs.
 *
 * <p>Every band reads all weights, so it must be long enough for that not to matter. Every group
 * reads all rows and rearranges them or makes bytes of them, so that many rows are better cut into
 * bands; unless every band would have to decode the weights. Many workers would have short bands:
 * they make bytes of all rows together, then each reads them. Where there are too few rows and
 * outputs for all workers, nothing is spared.
 */
final class MatmulTask implements Workers.Task {
  /** So many units load the workers evenly. */
  private static final int UNITS_PER_WORKER = 4;

  /** Parts for each worker at least, where the first are longer: the last has a fiftieth then. */
  private static final int FEWEST_PARTS = 8;

  /** Tiles of a band at least. */
  private static final int FEWEST_TILES = 5;

  /** Rows of a tile, where weights are bytes and where not. */
  private static final int BYTES_TILE = 6;

  private static final int FLOATS_TILE = 12;

  private static final int WIDENED_TILE = 12;

  /** Rows that meet the panels of a group at most. */
  private static final int MOST_ROWS = 512;

  /** Bytes of them, where they are shared: they stay in a second cache. */
  private static final int MOST_BYTES = 1 << 20;

  /** Workers from which on rows are made for all: fewer are better off with bands of their own. */
  private static final int SHARERS = 4;

  /**
   * Tiles of a band of its own at least, where rows could be shared; more if panels are widened.
   */
  private static final int OWN_TILES = 10;

  private static final int OWN_WIDENED_TILES = 16;

  /** Of all products of this process. */
  private static final AtomicLong EPOCHS = new AtomicLong();

  private final SharedRows rows = new SharedRows();

  private Kernels kernels;
  private CpuTensor x;

  /** While these products run, x does not change. */
  private long epoch;

  /** How many, of whole tiles and about equally long. */
  private int bands;

  private int tile;

  /** Groups of panels that a band meets one after the other, and panels of each but the last. */
  private int groups;

  private int panelsEach;

  /** Workers whose parts become shorter from one to the next; 0 where all are alike. */
  private int sharing;

  private int count;
  private Multiplication[] products = new Multiplication[0];

  /** Where the panels of each product end, those before it counted. */
  private int[] ends = new int[0];

  /** Whether the weights of each lie as in their file. */
  private boolean[] stored = new boolean[0];

  private long operations;

  void run(CpuDevice device, Tensor out, Tensor operand, Tensor matrix, Tensor biasOrNull) {
    begin(device, operand);
    add(out, matrix, biasOrNull);
    run(device);
  }

  void run(CpuDevice device, Tensor operand, Projection[] all) {
    begin(device, operand);
    for (Projection each : all) add(each.out(), each.matrix(), each.biasOrNull());
    run(device);
  }

  private void begin(CpuDevice device, Tensor operand) {
    kernels = device.kernels();
    x = (CpuTensor) operand;
    epoch = EPOCHS.incrementAndGet();
    count = 0;
    operations = 0;
  }

  private void add(Tensor result, Tensor weights, Tensor biasOrNull) {
    CpuTensor out = (CpuTensor) result;
    CpuTensor matrix = (CpuTensor) weights;
    CpuTensor bias = (CpuTensor) biasOrNull;
    if (count == products.length) grow();
    int outputs = matrix.rows();
    int inputs = matrix.columns();
    products[count]
        .matrix(matrix.precision, matrix.type(), matrix.address, outputs, inputs)
        .rows(x.address, x.stride)
        .to(bias == null ? 0 : bias.address, out.address, out.stride);
    ends[count] = panels() + panels(outputs);
    stored[count++] = matrix.stored();
    operations += 2L * inputs * outputs * x.rows();
  }

  private void grow() {
    products = Arrays.copyOf(products, count + 1);
    products[count] = new Multiplication();
    ends = Arrays.copyOf(ends, count + 1);
    stored = Arrays.copyOf(stored, count + 1);
  }

  /** Of all products so far. */
  private int panels() {
    return count == 0 ? 0 : ends[count - 1];
  }

  private static int panels(int outputs) {
    return ceil(outputs, Kernels.PANEL);
  }

  private void run(CpuDevice device) {
    if (x.rows() == 0) return;
    Workers workers = device.workers();
    boolean shared = cut(workers.count(), device.tiling().get(Tunable.BAND));
    int units = bands * groups;
    try {
      if (shared) rows.make(workers, kernels, products, count, x.rows());
      workers.run(this, units, operations / units);
    } finally {
      x = null;
    }
  }

  /**
   * Decides on bands and groups.
   *
   * @return whether rows are to be shared
   */
  private boolean cut(int workers, int usual) {
    int units = UNITS_PER_WORKER * workers;
    boolean integer = kernels.integer(products[0].type);
    boolean widens = kernels.widens(products[0].type);
    sharing = 0;
    tile = widens ? WIDENED_TILE : integer ? BYTES_TILE : FLOATS_TILE;
    int fewest = FEWEST_TILES * tile;
    boolean share = mayShare(workers, widens);
    int own = share ? tile * (widens ? OWN_WIDENED_TILES : OWN_TILES) : fewest;
    if (anyStored()) {
      // Each panel is packed once.
      bands = 1;
      groups = panels();
    } else if (workers == 1) {
      bands = ceil(x.rows(), MOST_ROWS);
      groups = 1;
    } else if (x.rows() >= (long) units * usual) {
      // As many for each part that workers take.
      bands = ceil(x.rows(), usual * units) * units;
      groups = 1;
    } else if (panels() >= units && x.rows() >= fewest && decodes()) {
      bands = ceil(x.rows(), MOST_ROWS);
      groups = ceil(units, bands);
    } else if (x.rows() >= workers * own) {
      bands = workers * Math.min(UNITS_PER_WORKER, x.rows() / (workers * own));
      groups = 1;
    } else if (share && x.rows() >= fewest) {
      long bytes = kernels.sharedBytes(products[0]) * x.rows();
      bands = Math.max(ceil(x.rows(), MOST_ROWS), (int) ((bytes - 1) / MOST_BYTES + 1));
      groups = panels();
    } else {
      bands = Math.max(1, x.rows() / fewest);
      groups = bands == 1 ? panels() : Math.min(panels(), ceil(units, bands));
      sharing = bands == 1 ? workers : 0;
    }
    // Of equal size, even if they are fewer.
    panelsEach = ceil(panels(), groups);
    groups = ceil(panels(), panelsEach);
    return share && groups > 1;
  }

  private boolean mayShare(int workers, boolean widens) {
    boolean many = workers >= SHARERS || widens && workers > 1;
    return many
        && x.rows() >= 2 * tile
        && !anyStored()
        && SharedRows.worth(kernels, products, count);
  }

  /** Whether kernels make numbers of weights: once for all rows that they get at a time. */
  private boolean decodes() {
    for (int i = 0; i < count; i++) {
      TensorType type = products[i].type;
      if (type.blockSize() > 1 && !kernels.integer(type)) return true;
    }
    return false;
  }

  private boolean anyStored() {
    for (int i = 0; i < count; i++) if (stored[i]) return true;
    return false;
  }

  private static int ceil(int a, int b) {
    return (a + b - 1) / b;
  }

  @Override
  public boolean isTheWork() {
    return true;
  }

  /**
   * Where rows are few, memory decides: reading takes a while to get going, so the first parts are
   * long; but what it gives a core is not always the same, so the last are short. Each is half of
   * an equal share of what is left, and the last ones may have nothing. Where there are few, that
   * would leave too much for the last one, and all are alike.
   */
  @Override
  public int first(int part, int parts, int units) {
    boolean alike = sharing == 0 || parts < FEWEST_PARTS * sharing;
    if (alike || part == parts) return Workers.Task.super.first(part, parts, units);
    int left = units;
    for (int i = 0; i < part; i++) left -= ceil(left, 2 * sharing);
    return units - left;
  }

  @Override
  public void run(int worker, int from, int to) {
    for (int unit = from, end; unit < to; unit = end) {
      int band = unit / groups;
      // All groups of the same band at once.
      end = Math.min(to, (band + 1) * groups);
      int first = unit % groups;
      int last = first + end - unit;
      run(
          firstRow(band),
          firstRow(band + 1),
          first * panelsEach,
          Math.min(panels(), last * panelsEach));
    }
  }

  /** The first bands are a tile longer than the last: nobody is to begin with a long one late. */
  private int firstRow(int band) {
    int tiles = ceil(x.rows(), tile);
    int before = tiles / bands * band + Math.min(tiles % bands, band);
    return Math.min(x.rows(), before * tile);
  }

  /** Panels of all products, counted on. */
  private void run(int rowFrom, int rowTo, int from, int to) {
    for (int i = 0; i < count; i++) {
      int first = i == 0 ? 0 : ends[i - 1];
      int panelFrom = Math.max(0, from - first);
      int panelTo = Math.min(ends[i], to) - first;
      if (panelFrom >= panelTo) continue;
      if (stored[i]) asStored(products[i], panelFrom, panelTo);
      else kernels.matmul(products[i], rowFrom, rowTo, panelFrom, panelTo, epoch);
    }
  }

  /** Packs panels for this one product, each as a matrix of its own: so it has the same bits. */
  private void asStored(Multiplication product, int panelFrom, int panelTo) {
    OnePanel panel = OnePanel.own();
    Multiplication part = panel.product;
    for (int i = panelFrom; i < panelTo; i++) {
      int first = i * Kernels.PANEL;
      int columns = Math.min(Kernels.PANEL, product.outputs - first);
      long at = product.packed + product.type.bytes(product.inputs) * first;
      long packedBytes = kernels.packedBytes(product.type, columns, product.inputs);
      long own = panel.room(packedBytes, columns < Kernels.PANEL);
      if (!kernels.pack(product.type, at, columns, product.inputs, own, 0, 1)) {
        throw CpuDevice.notFinite("a matrix");
      }
      part.matrix(product.precision, product.type, own, columns, product.inputs)
          .rows(product.x, product.xStride)
          .to(
              product.bias == 0 ? 0 : product.bias + 4L * first,
              product.out + 4L * first,
              product.outStride);
      kernels.matmul(part, 0, x.rows(), 0, 1, epoch);
    }
  }
}
