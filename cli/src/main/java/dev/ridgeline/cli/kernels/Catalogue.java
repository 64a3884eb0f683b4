package dev.ridgeline.cli.kernels;

import dev.ridgeline.tensor.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Puts a list of kernels together, family by family; each is made when it is wanted. */
final class Catalogue {
  /** The heads of GPT-2 and BERT-base, and the width of their rows. */
  private static final int HEADS = 12;

  private static final int HEAD = 64;
  private static final int WIDTH = HEADS * HEAD;

  /** Columns of a softmax: tokens that a head of attention looks at. */
  private static final int SEEN = 256;

  /** Columns that a row is added to. */
  private static final int BROADCAST = 1024;

  /** What the name of a kernel ends with that runs on all workers. */
  static final String PARALLEL = " parallel";

  /** A kernel that can be made. */
  record Recipe(String name, Function<Room, Kernel> maker) {
    /** On the calling thread alone, unless its name says that it is parallel. */
    Kernel make(Device device, long seed) {
      Device where = name.endsWith(PARALLEL) ? device : device.serial();
      Room room = new Room(where, name, seed);
      try {
        return maker.apply(room);
      } catch (RuntimeException | Error e) {
        room.close();
        throw e;
      }
    }
  }

  private final List<Recipe> recipes = new ArrayList<>();

  List<Recipe> recipes() {
    return List.copyOf(recipes);
  }

  private Catalogue add(String name, Function<Room, Kernel> maker) {
    recipes.add(new Recipe(name, maker));
    return this;
  }

  Catalogue matmul(int... sizes) {
    for (int n : sizes) add("matmul " + n, room -> Forward.matmul(room, n, n, n));
    return this;
  }

  Catalogue parallelMatmul(int n) {
    return add("matmul " + n + PARALLEL, room -> Forward.matmul(room, n, n, n));
  }

  Catalogue softmax(int... rows) {
    for (int n : rows) add("softmax " + n, room -> Forward.softmax(room, n, SEEN));
    return this;
  }

  Catalogue gelu(int... elements) {
    for (int n : elements) add("gelu " + count(n), room -> Forward.gelu(room, n));
    return this;
  }

  Catalogue layerNorm(int... rows) {
    for (int n : rows) add("layernorm " + n, room -> Forward.layerNorm(room, n, WIDTH));
    return this;
  }

  Catalogue rmsNorm(int... rows) {
    for (int n : rows) add("rmsnorm " + n, room -> Forward.rmsNorm(room, n, WIDTH));
    return this;
  }

  Catalogue pointwise(int... elements) {
    for (int n : elements) add("add " + count(n), room -> Forward.add(room, n));
    for (int n : elements) add("multiply " + count(n), room -> Forward.multiply(room, n));
    return this;
  }

  Catalogue broadcast(int... rows) {
    for (int n : rows) add("broadcast add " + n, room -> Forward.broadcastAdd(room, n, BROADCAST));
    return this;
  }

  Catalogue rope(int... rows) {
    for (int n : rows) add("rope " + n, room -> Forward.rope(room, n, HEADS, HEAD, false));
    return this;
  }

  Catalogue attention(int... tokens) {
    for (int n : tokens) add("attention " + n, room -> Forward.attention(room, n, HEADS, HEAD));
    return this;
  }

  /** The gradients of each family. */
  Catalogue backward() {
    return add("matmul backward 512", room -> Backward.matmul(room, 512, 512, 512))
        .add("gelu backward 1M", room -> Backward.gelu(room, 1_000_000))
        .add("layernorm backward 1024", room -> Backward.layerNorm(room, 1024, WIDTH))
        .add("rmsnorm backward 1024", room -> Backward.rmsNorm(room, 1024, WIDTH))
        .add("rope backward 128", room -> Forward.rope(room, 128, HEADS, HEAD, true))
        .add("attention backward 256", room -> Backward.attention(room, 256, HEADS, HEAD));
  }

  /** {@code 1M}, {@code 10K}, {@code 513}. */
  static String count(int n) {
    if (n % 1_000_000 == 0) return n / 1_000_000 + "M";
    if (n % 1_000 == 0) return n / 1_000 + "K";
    return Integer.toString(n);
  }
}
