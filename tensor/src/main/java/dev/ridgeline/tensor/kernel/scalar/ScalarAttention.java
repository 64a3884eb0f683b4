package dev.ridgeline.tensor.kernel.scalar;

import static dev.ridgeline.tensor.Device.PAGE;
import static dev.ridgeline.tensor.kernel.scalar.Numbers.at;
import static dev.ridgeline.tensor.kernel.scalar.Numbers.half;
import static dev.ridgeline.tensor.kernel.scalar.Numbers.put;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.AttentionKernels;

/** Attention as its formulas have it. */
final class ScalarAttention implements AttentionKernels {
  @Override
  public void scores(
      long q,
      int qStride,
      int queries,
      long k,
      int kStride,
      int keys,
      int width,
      float scale,
      long out,
      int outStride) {
    for (int i = 0; i < queries; i++) {
      long query = q + 4L * qStride * i;
      for (int j = 0; j < keys; j++) {
        long key = k + 4L * kStride * j;
        double sum = 0;
        for (int c = 0; c < width; c++) sum += (double) at(query, c) * at(key, c);
        put(out + 4L * outStride * i, j, sum * scale);
      }
    }
  }

  @Override
  public void softmax(
      long x, int stride, int rows, int keys, int firstQuery, int before, int after) {
    for (int i = 0; i < rows; i++) {
      long row = x + 4L * stride * i;
      int query = firstQuery + i;
      int from = Math.max(0, query - before);
      int to = (int) Math.min(keys, (long) query + after + 1);
      float max = Float.NEGATIVE_INFINITY;
      for (int j = from; j < to; j++) max = Math.max(max, at(row, j));
      // Nothing but −∞ is nothing: −∞ less −∞ would be NaN.
      boolean nothing = max == Float.NEGATIVE_INFINITY;
      double sum = 0;
      for (int j = from; j < to; j++) sum += StrictMath.exp((double) at(row, j) - max);
      for (int j = 0; j < keys; j++) {
        boolean seen = j >= from && j < to && !nothing;
        put(row, j, seen ? StrictMath.exp((double) at(row, j) - max) / sum : 0);
      }
    }
  }

  @Override
  public void mix(
      long p,
      int pStride,
      int queries,
      long v,
      int vStride,
      int keys,
      int width,
      long out,
      int outStride) {
    for (int i = 0; i < queries; i++) {
      for (int c = 0; c < width; c++) {
        double sum = 0;
        for (int j = 0; j < keys; j++) {
          sum += (double) at(p + 4L * pStride * i, j) * at(v + 4L * vStride * j, c);
        }
        put(out + 4L * outStride * i, c, sum);
      }
    }
  }

  @Override
  public void across(
      long a,
      int aStride,
      int columns,
      long b,
      int bStride,
      int rows,
      int width,
      long out,
      int outStride,
      boolean add) {
    for (int c = 0; c < columns; c++) {
      long to = out + 4L * outStride * c;
      for (int k = 0; k < width; k++) {
        double sum = add ? at(to, k) : 0;
        for (int r = 0; r < rows; r++) {
          sum += (double) at(a + 4L * aStride * r, c) * at(b + 4L * bStride * r, k);
        }
        put(to, k, sum);
      }
    }
  }

  @Override
  public void pageScores(
      long q,
      int qStride,
      int queries,
      int heads,
      TensorType type,
      long keys,
      long pageBytes,
      int[] pages,
      int firstPage,
      int tokens,
      int width,
      float scale,
      long out,
      int outStride) {
    for (int r = 0; r < queries * heads; r++) {
      long query = q + 4L * qStride * (r / heads) + 4L * width * (r % heads);
      for (int j = 0; j < tokens; j++) {
        long page = keys + pageBytes * pages[firstPage + j / PAGE];
        double sum = 0;
        for (int c = 0; c < width; c++) {
          sum += (double) at(query, c) * cached(type, page, (long) PAGE * c + j % PAGE);
        }
        put(out + 4L * outStride * r, j, sum * scale);
      }
    }
  }

  @Override
  public void pageMix(
      long p,
      int pStride,
      int queries,
      int heads,
      TensorType type,
      long values,
      long pageBytes,
      int[] pages,
      int firstPage,
      int tokens,
      int width,
      long out,
      int outStride) {
    for (int r = 0; r < queries * heads; r++) {
      long weights = p + 4L * pStride * r;
      long to = out + 4L * outStride * (r / heads) + 4L * width * (r % heads);
      for (int c = 0; c < width; c++) {
        double sum = 0;
        for (int j = 0; j < tokens; j++) {
          long page = values + pageBytes * pages[firstPage + j / PAGE];
          sum += (double) at(weights, j) * cached(type, page, (long) width * (j % PAGE) + c);
        }
        put(to, c, sum);
      }
    }
  }

  private static float cached(TensorType type, long page, long index) {
    if (type == TensorType.F32) return at(page, index);
    return Float.float16ToFloat(half(page, index));
  }
}
