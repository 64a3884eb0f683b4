package dev.ridgeline.train.net;

import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.grad.Attended;

/** Queries, keys and values, next to each other in the rows of one tensor. */
record PackedQkv(Tensor all, Attended parts) {
  static PackedQkv of(Tensor all, HeadSizes sizes) {
    int queries = sizes.queries();
    int keys = sizes.keys();
    return new PackedQkv(
        all,
        new Attended(
            all.columns(0, queries),
            all.columns(queries, queries + keys),
            all.columns(queries + keys, queries + 2 * keys)));
  }
}
