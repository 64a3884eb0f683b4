package dev.ridgeline.tensor.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.DeviceProvider;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Pooled;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What does not fit is refused before any kernel sees an address. */
class ShapesTest {
  private static final int ANY = Integer.MAX_VALUE;

  @Test
  void aWrongShapeNamesOperationAndShapes() {
    try (Fixture play = new Fixture(2, 1)) {
      Ops ops = play.ops;
      Tensor x = play.filled(3, 8);
      Tensor out = play.empty(3, 8);
      Tensor small = play.empty(2, 8);
      Tensor narrow = play.empty(3, 7);
      Tensor matrix =
          play.weights(play.stored(TensorType.F32, 5, 8, play.numbers(40)), Layout.MATRIX);
      Tensor table = play.weights(play.stored(TensorType.F32, 5, 8, play.numbers(40)), Layout.ROWS);
      Tensor eight = play.vector(play.numbers(8));
      Tensor seven = play.vector(play.numbers(7));
      Tensor ids = play.integers(1, 2, 3);
      Sequences texts = play.texts(2, 2);
      Tensor five = play.empty(3, 5);
      Tensor workspace = play.workspace(8);

      refused(() -> ops.matmul(out, x, matrix, null), "matmul", "3×8 f32", "5×8 f32");
      refused(() -> ops.matmul(five, narrow, matrix, null), "matmul", "3×7 f32", "5×8 f32");
      refused(() -> ops.matmul(five, x, matrix, seven), "matmul", "bias", "1×7");
      refused(() -> ops.matmul(five, x, table, null), "matmul", "matrix has layout ROWS", "5×8");
      refused(() -> ops.matmul(play.empty(2, 5), x, matrix, null), "matmul", "room for 2 rows");
      refused(() -> ops.rows(narrow, table, ids), "rows", "3×7", "5×8");
      refused(() -> ops.rows(small, table, ids), "rows", "room for 2 rows");
      refused(() -> ops.rows(out, table, x), "rows", "ids is not one i32 per row", "3×8");
      refused(() -> ops.rows(out, matrix, ids), "rows", "table has layout MATRIX", "5×8");
      refused(() -> ops.add(out, x, narrow), "add", "3×8", "3×7");
      refused(() -> ops.add(out, x, small), "add", "rows differ", "2×8");
      refused(() -> ops.add(out, x, seven), "add", "1×7");
      refused(() -> ops.multiply(out, x, narrow), "multiply", "b has another shape", "3×8", "3×7");
      refused(() -> ops.multiply(small, x, x), "multiply", "room for 2 rows");
      refused(() -> ops.softmax(narrow, x), "softmax", "3×7", "3×8");
      refused(() -> ops.softmax(out, ids), "softmax", "x is not f32", "3×1 i32");
      refused(() -> ops.scale(narrow, x, 1), "scale", "3×7", "3×8");
      refused(() -> ops.scale(small, x, 1), "scale", "room for 2 rows");
      refused(() -> ops.scale(out, ids, 1), "scale", "x is not f32", "3×1 i32");
      refused(() -> ops.layerNorm(out, x, seven, eight, 1), "layernorm", "weight", "1×7");
      refused(() -> ops.layerNorm(out, x, eight, seven, 1), "layernorm", "bias", "1×7");
      refused(() -> ops.rmsNorm(out, x, seven, 1), "rmsnorm", "1×7");
      refused(() -> ops.rmsNorm(out, x, x, 1), "rmsnorm", "has layout ROWS, not VECTOR");
      refused(() -> ops.rmsNormHeads(x, 3, eight, 1), "rmsnorm of heads", "3 heads", "3×8");
      refused(() -> ops.rmsNormHeads(x, 2, eight, 1), "rmsnorm of heads", "2 heads", "1×8");
      refused(() -> ops.apply(Activation.GELU, narrow, x), "gelu", "3×7", "3×8");
      refused(() -> ops.apply(Activation.GELU_TANH, out, x, narrow), "geglu", "3×8", "3×7");
      refused(
          () -> ops.rope(x, 2, play.integers(1), play.empty(9, 4), Pairing.HALVES),
          "rope",
          "1×1 i32");
      refused(
          () -> ops.rope(x, 2, ids, play.empty(9, 8), Pairing.HALVES), "rope", "2 heads", "9×8");
      refused(() -> ops.pool(Pooled.MEAN, out, x, texts), "pool", "the 4 of the texts", "3×8");
      refused(() -> ops.pool(Pooled.FIRST, narrow, x, texts), "pool", "3×7");
      refused(() -> ops.normalize(narrow, x), "normalize", "3×7");

      Sequences three = play.texts(1, 2);
      refused(
          () -> ops.attention(out, x, x, x, texts, new Heads(2, 2, 1, ANY, ANY), workspace),
          "attention",
          "not the 4 of the texts",
          "3×8");
      refused(
          () -> ops.attention(out, x, x, x, three, new Heads(3, 3, 1, ANY, ANY), workspace),
          "attention",
          "3 heads",
          "3×8");
      refused(
          () -> ops.attention(out, x, x, x, three, new Heads(2, 1, 1, ANY, ANY), workspace),
          "attention",
          "widths differ");
      refused(
          () -> ops.attention(out, x, x, x, three, new Heads(2, 2, 1, -1, ANY), workspace),
          "attention",
          "window");
      refused(
          () -> ops.attention(out, x, x, x, three, new Heads(2, 2, 1, ANY, ANY), play.empty(1, 8)),
          "attention",
          "2 workers",
          "1×8");
      refused(() -> ops.apply(Activation.GELU_TANH, narrow, x), "gelu", "3×7", "3×8");
      refused(() -> ops.apply(Activation.SILU, out, x, narrow), "swiglu", "3×8", "3×7");
      Tensor odd = play.empty(9, 3);
      refused(() -> ops.rope(x, 2, ids, odd, Pairing.NEIGHBOURS), "rope", "9×3");
      // Not one of the refused calls has touched its result or what is in use of it.
      assertThat(out.rows()).isEqualTo(3);
      assertThat(play.read(out)).containsOnly(0);
    }
  }

  @Test
  void whatDoesNotFitACacheIsRefused() {
    try (Fixture play = new Fixture(2, 1)) {
      Ops ops = play.ops;
      Tensor q = play.filled(3, 16);
      Tensor k = play.filled(3, 8);
      Tensor out = play.empty(3, 16);
      Tensor workspace = play.workspace(8);
      Tensor keys = play.cache(Layout.KEYS, TensorType.F32, 4, 2, 4);
      Tensor values = play.cache(Layout.VALUES, TensorType.F32, 3, 2, 4);
      Tensor other = play.cache(Layout.VALUES, TensorType.F32, 3, 2, 5);
      Sequences texts = play.room(2, 3);
      texts.add(3, 2, new int[] {2});
      refused(() -> ops.store(values, values, k, k, texts, 2), "store", "has layout VALUES");
      refused(() -> ops.store(keys, other, k, k, texts, 2), "store", "numbers of v", "3×320");
      refused(() -> ops.store(keys, values, k, k, texts, 3), "store", "3 heads", "3×8");
      refused(() -> ops.store(keys, values, k.rows(2), k, texts, 2), "store", "the 3 of the texts");
      k.rows(3);
      refused(() -> ops.copyPage(k, 0, 1), "copy page", "has layout ROWS");
      refused(() -> ops.copyPage(keys, 0, 4), "copy page", "page 0 to 4", "4×256");
      refused(() -> ops.copyPage(keys, -1, 0), "copy page", "page -1 to 0");
      String op = "cached attention";
      refused(
          () ->
              ops.cachedAttention(out, q, k, values, texts, new Heads(4, 2, 1, ANY, 0), workspace),
          op,
          "keys has layout ROWS");
      refused(
          () ->
              ops.cachedAttention(
                  out, q, keys, other, texts, new Heads(4, 2, 1, ANY, 0), workspace),
          op,
          "numbers of out's heads");
      refused(
          () ->
              ops.cachedAttention(
                  out, q, keys, values, texts, new Heads(4, 3, 1, ANY, 0), workspace),
          op,
          "4 heads do not share 3 key heads");
      refused(
          () ->
              ops.cachedAttention(
                  out, q, keys, values, texts, new Heads(4, 4, 1, ANY, 0), workspace),
          op,
          "numbers of q's heads");
      refused(
          () ->
              ops.cachedAttention(
                  out, q, keys, values, texts, new Heads(4, 2, 1, -1, 0), workspace),
          op,
          "window");
      refused(
          () ->
              ops.cachedAttention(q, q, keys, values, texts, new Heads(4, 2, 1, ANY, 0), workspace),
          op,
          "out may not be q");
      refused(
          () ->
              ops.cachedAttention(
                  out, q, keys, values, texts, new Heads(4, 2, 1, ANY, 0), play.empty(1, 8)),
          op,
          "a text of 5 tokens and 2 workers");
      texts.clear();
      texts.add(3, 2, new int[] {3});
      refused(
          () ->
              ops.cachedAttention(
                  out, q, keys, values, texts, new Heads(4, 2, 1, ANY, 0), workspace),
          op,
          "page 0 of text 0 is number 3");
      Tensor few = play.empty(3, 8);
      refused(
          () -> ops.attention(few, k, k, k, texts, new Heads(2, 2, 1, ANY, ANY), workspace),
          "attention",
          "text 0 has tokens in a cache");
      texts.clear();
      texts.add(3);
      refused(() -> ops.store(keys, values, k, k, texts, 2), "store", "text 0 has no pages");
      refusedPlainly(() -> texts.add(1, -1, new int[1]));
      refusedPlainly(() -> texts.add(2, 31, new int[1]));
      refusedPlainly(() -> play.cache(Layout.ROWS, TensorType.F32, 1, 1, 1));
      refusedPlainly(() -> play.cache(Layout.KEYS, TensorType.Q8_0, 1, 1, 1));
      assertThat(play.read(out)).containsOnly(0);
    }
  }

  private static void refused(ThrowingCallable call, String operation, String... shapes) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(operation + ": ")
        .hasMessageContainingAll(shapes);
  }

  @Test
  void aClosedTensorIsRefused() {
    try (Fixture play = new Fixture(1, 1)) {
      Tensor x = play.filled(3, 8);
      Tensor view = x.columns(0, 4);
      x.close();
      x.close();
      assertThat(x.open()).isFalse();
      assertThatThrownBy(() -> play.ops.apply(Activation.GELU, play.empty(3, 8), x))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("gelu: x (test 3×8 f32) is closed");
      assertThatThrownBy(() -> play.ops.apply(Activation.GELU, play.empty(3, 4), view))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> play.read(x)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> play.device.write(x, new float[24], 0))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void rowsInUseAreSharedWithViewsAndBounded() {
    try (Fixture play = new Fixture(1, 1)) {
      Tensor x = play.empty(5, 8);
      Tensor inner = x.columns(2, 8).columns(1, 3);
      inner.rows(2);
      assertThat(x.rows()).isEqualTo(2);
      x.rows(4);
      assertThat(inner.rows()).isEqualTo(4);
      assertThat(inner.columns()).isEqualTo(2);
      refusedPlainly(() -> x.rows(6));
      refusedPlainly(() -> x.rows(-1));
      refusedPlainly(() -> x.columns(3, 3));
      refusedPlainly(() -> x.columns(-1, 3));
      refusedPlainly(() -> x.columns(3, 9));
    }
  }

  @Test
  void whatCannotBeCopiedIsRefused() {
    try (Fixture play = new Fixture(1, 1)) {
      Tensor x = play.empty(2, 3);
      assertThatThrownBy(() -> play.device.write(x, new float[5], 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> play.device.read(x, 1, new float[5], 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
      refusedPlainly(() -> play.device.read(x, 2, new float[9], 0));
      refusedPlainly(() -> play.device.write(x, new int[6], 0));
      refusedPlainly(() -> play.device.allocate("test", TensorType.Q8_0, 2, 32));
      refusedPlainly(() -> play.device.allocate("test", TensorType.F32, 0, 32));
    }
  }

  @Test
  void textsMustFitTheirPlan() {
    try (Fixture play = new Fixture(1, 1)) {
      Sequences texts = play.room(2, 10);
      texts.add(4);
      refusedPlainly(() -> texts.add(0));
      refusedPlainly(() -> texts.add(7));
      texts.add(6);
      refusedPlainly(() -> texts.add(1));
      assertThat(texts.rows()).isEqualTo(10);
      assertThat(texts.longest()).isEqualTo(6);
      assertThat(texts.textOf(3)).isZero();
      assertThat(texts.textOf(4)).isEqualTo(1);
      texts.clear();
      assertThat(texts.rows()).isZero();
      assertThat(texts.positions().rows()).isZero();
    }
  }

  private static void refusedPlainly(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theProcessorIsFoundAsAService() {
    try (Device device = Device.cpu(1)) {
      assertThat(device.name()).isEqualTo("cpu");
      assertThat(device.serial()).isSameAs(device);
      assertThat(device.description()).startsWith("1 worker · ");
    }
    assertThatThrownBy(() -> DeviceProvider.named("abacus"))
        .hasMessageStartingWith("there is no device abacus; there are [");
  }
}
