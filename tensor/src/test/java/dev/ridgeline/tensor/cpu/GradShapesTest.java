package dev.ridgeline.tensor.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.DeviceChoice;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.cpu.Trainer.Family;
import dev.ridgeline.tensor.grad.AdamStep;
import dev.ridgeline.tensor.grad.Attended;
import dev.ridgeline.tensor.grad.AttentionBackward;
import dev.ridgeline.tensor.grad.Grad;
import dev.ridgeline.tensor.grad.NormBackward;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What does not fit is refused before any kernel sees an address; what fits is accounted for. */
class GradShapesTest {
  private static final int ANY = Integer.MAX_VALUE;

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  @Test
  void aWrongShapeNamesOperationAndShapes() {
    try (Trainer trainer = new Trainer(Family.SCALAR, 2, 1)) {
      Grad grad = trainer.grad;
      Fixture play = trainer.play;
      Tensor x = play.filled(3, 8);
      Tensor dy = play.filled(3, 8);
      Tensor dx = play.empty(3, 8);
      Tensor small = play.empty(2, 8);
      Tensor narrow = play.empty(3, 7);
      Tensor eight = play.filled(1, 8);
      Tensor seven = play.filled(1, 7);
      Tensor d = play.empty(1, 8);
      Tensor stats = play.empty(3, 2);
      Tensor ids = play.integers(1, 2, 0);

      String op = "rmsnorm backward";
      refused(
          () -> grad.rmsNorm(narrow, d, dy, x, eight, new NormBackward(1, false, stats)),
          op,
          "3×7",
          "3×8");
      refused(
          () -> grad.rmsNorm(small, d, dy, x, eight, new NormBackward(1, false, stats)),
          op,
          "room for 2 rows");
      refused(
          () -> grad.rmsNorm(small, d, dy, x, eight, new NormBackward(1, true, stats)),
          op,
          "rows differ",
          "2×8");
      refused(
          () -> grad.rmsNorm(dx, seven, dy, x, eight, new NormBackward(1, false, stats)),
          op,
          "dWeight",
          "1×7");
      refused(
          () -> grad.rmsNorm(dx, dx, dy, x, eight, new NormBackward(1, false, stats)),
          op,
          "dWeight",
          "3×8");
      refused(
          () -> grad.rmsNorm(dx, d, small, x, eight, new NormBackward(1, false, stats)),
          op,
          "dy",
          "2×8");
      refused(
          () -> grad.rmsNorm(dx, d, dy, x, seven, new NormBackward(1, false, stats)),
          op,
          "weight",
          "1×7");
      refused(
          () -> grad.rmsNorm(dx, d, dy, x, eight, new NormBackward(1, false, dy)),
          op,
          "stats",
          "3×8");
      refused(
          () -> grad.rmsNorm(dy, d, dy, x, eight, new NormBackward(1, false, stats)),
          op,
          "not be an operand");
      refused(
          () -> grad.layerNorm(dx, d, seven, dy, x, eight, new NormBackward(1, false, stats)),
          "layernorm backward",
          "dBias",
          "1×7");
      refused(
          () -> grad.layerNorm(dx, d, d, dy, narrow, eight, new NormBackward(1, false, stats)),
          "layernorm backward",
          "3×7");
      refused(() -> grad.apply(Activation.GELU, dx, dy, narrow), "gelu backward", "3×8", "3×7");
      refused(() -> grad.apply(Activation.GELU, narrow, dy, x), "gelu backward", "3×7", "3×8");
      refused(
          () -> grad.apply(Activation.GELU_TANH, small, dy, x), "gelu backward", "room for 2 rows");
      refused(
          () -> grad.apply(Activation.GELU_TANH, dx, ids, x),
          "gelu backward",
          "dy is not f32",
          "i32");
      refused(() -> grad.apply(Activation.SILU, dx, narrow, dy, x, x), "swiglu backward", "3×7");
      refused(
          () -> grad.apply(Activation.SILU, dx, dx, dy, x, x),
          "swiglu backward",
          "dGate may not be dUp");
      refused(
          () -> grad.apply(Activation.SILU, dx, dy, dy, x, narrow), "swiglu backward", "up", "3×7");
      Tensor angles = play.empty(9, 4);
      refused(() -> grad.rope(x, 3, ids, angles, Pairing.HALVES), "rope backward", "3 heads");
      refused(() -> grad.rope(small, 2, ids, angles, Pairing.HALVES), "rope backward", "2×8");
      refused(
          () -> grad.rope(x, 4, ids, angles, Pairing.HALVES), "rope backward", "4 heads", "9×4");
      Tensor far = play.integers(1, 9, 0);
      refused(
          () -> grad.rope(x, 2, far, angles, Pairing.HALVES),
          "rope backward",
          "position 9 at row 1");
      Tensor table = play.empty(5, 8);
      refused(() -> grad.rows(play.empty(5, 7), x, ids), "rows backward", "5×7", "3×8");
      refused(() -> grad.rows(table, small, ids), "rows backward", "2×8", "3×1 i32");
      refused(() -> grad.rows(table, x, far), "rows backward", "id 9 at row 1", "5×8");
      Tensor losses = play.empty(3, 1);
      refused(() -> grad.crossEntropy(stats, x, ids, 1), "cross entropy", "3×2");
      refused(() -> grad.crossEntropy(losses, small, ids, 1), "cross entropy", "2×8");
      refused(() -> grad.crossEntropy(losses, x, far, 1), "cross entropy", "target 9 at row 1");
      Tensor below = play.integers(1, 2, -2);
      refused(() -> grad.crossEntropy(losses, x, below, 1), "cross entropy", "target -2 at row 2");
      AdamStep step = new AdamStep();
      refused(() -> grad.adamW(x, narrow, dy, dx, step), "adamw", "gradient", "3×7");
      refused(() -> grad.adamW(x, dy, small, dx, step), "adamw", "m has", "2×8");
      refused(() -> grad.adamW(x, dy, dx, x, step), "adamw", "v may not");
      refused(() -> grad.adamW(x, dy, dx, dx, step), "adamw", "not distinct");
      refused(() -> step.step(0), "adamw", "step 0");
      refused(() -> grad.add(x, new Tensor[] {narrow}), "add gradients", "3×7");
      refused(() -> grad.add(x, new Tensor[] {dy, narrow}), "add gradients", "3×7");
      Tensor halves = trainer.halves(3, 8);
      refused(() -> grad.round(x, x), "round", "halves is not bf16");
      refused(() -> grad.round(halves, ids), "round", "x is not f32");
      refused(() -> grad.round(trainer.halves(3, 7), x), "round", "another shape", "3×7");
      refused(() -> grad.round(trainer.halves(2, 8), x), "round", "room for 2 rows");
      refused(() -> grad.widen(small, halves), "widen", "room for 2 rows");
      refused(() -> grad.widen(dx, x), "widen", "halves is not bf16");
      refused(
          () -> grad.apply(Activation.GELU, dx, halves, x),
          "gelu backward",
          "dy is not f32",
          "bf16");
      refused(() -> grad.zero(ids), "zero", "not f32");
      refused(() -> grad.sum(ids), "sum", "not f32");
      refused(() -> grad.sumOfSquares(ids), "sum of squares", "not f32");
      // Not one of the refused calls has touched its result.
      assertThat(play.read(dx)).containsOnly(0);
      assertThat(dx.rows()).isEqualTo(3);
    }
  }

  @Test
  void attentionThatDoesNotFitIsRefused() {
    try (Trainer trainer = new Trainer(Family.SCALAR, 2, 1)) {
      Grad grad = trainer.grad;
      Fixture play = trainer.play;
      Tensor x = play.filled(3, 8);
      Tensor k = play.filled(3, 4);
      Tensor dq = play.empty(3, 8);
      Tensor dk = play.empty(3, 4);
      Tensor dv = play.empty(3, 4);
      Sequences texts = play.texts(1, 2);
      Sequences longer = play.texts(2, 2);
      String op = "attention backward";
      try (Tensor room = grad.attentionWorkspace("test", 8)) {
        refused(
            () ->
                grad.attention(
                    dq,
                    dk,
                    dv,
                    x,
                    new Attended(x, k, k),
                    new AttentionBackward(longer, new Heads(4, 2, 1, ANY, 0), room)),
            op,
            "not the 4 of the texts");
        refused(
            () ->
                grad.attention(
                    dq,
                    dk,
                    dv,
                    x,
                    new Attended(x, k, k),
                    new AttentionBackward(texts, new Heads(3, 3, 1, ANY, 0), room)),
            op,
            "3 heads");
        refused(
            () ->
                grad.attention(
                    dq,
                    dk,
                    dv,
                    x,
                    new Attended(x, k, k),
                    new AttentionBackward(texts, new Heads(2, 2, 1, ANY, 0), room)),
            op,
            "widths differ");
        refused(
            () ->
                grad.attention(
                    dq,
                    dk,
                    dv,
                    k,
                    new Attended(x, k, k),
                    new AttentionBackward(texts, new Heads(4, 2, 1, ANY, 0), room)),
            op,
            "dOut",
            "3×4");
        refused(
            () ->
                grad.attention(
                    dk,
                    dk,
                    dv,
                    x,
                    new Attended(x, k, k),
                    new AttentionBackward(texts, new Heads(4, 2, 1, ANY, 0), room)),
            op,
            "dq");
        refused(
            () ->
                grad.attention(
                    dq,
                    dk,
                    dk,
                    x,
                    new Attended(x, k, k),
                    new AttentionBackward(texts, new Heads(4, 2, 1, ANY, 0), room)),
            op,
            "gradients share memory");
        refused(
            () ->
                grad.attention(
                    x,
                    dk,
                    dv,
                    x,
                    new Attended(x, k, k),
                    new AttentionBackward(texts, new Heads(4, 2, 1, ANY, 0), room)),
            op,
            "dq may not be an operand");
        refused(
            () ->
                grad.attention(
                    dq,
                    dk,
                    dv,
                    x,
                    new Attended(x, k, k),
                    new AttentionBackward(texts, new Heads(4, 2, 1, -1, 0), room)),
            op,
            "window");
        refused(
            () ->
                grad.attention(
                    dq,
                    dk,
                    dv,
                    x,
                    new Attended(x, k, k),
                    new AttentionBackward(texts, new Heads(4, 2, 1, ANY, 0), play.empty(1, 8))),
            op,
            "2 workers",
            "1×8");
      }
    }
  }

  @Test
  void aDeviceThatCannotTrainSaysSo() {
    InvocationHandler named =
        (proxy, method, arguments) ->
            method.isDefault()
                ? InvocationHandler.invokeDefault(proxy, method, arguments)
                : method.getName().equals("choice")
                    ? DeviceChoice.DEFAULT.withName("abacus")
                    : null;
    Device device =
        (Device)
            Proxy.newProxyInstance(
                Device.class.getClassLoader(), new Class<?>[] {Device.class}, named);
    refused(() -> new Grad(device), "abacus cannot train");
  }

  @Test
  void scopesAreNamedAfterWhatTheyAreTheGradientOf() {
    try (Trainer trainer = new Trainer(Family.SCALAR, 1, 1);
        Gradients gradients = new Gradients(trainer, 4, 2)) {
      Profiler.start(Options.of(Level.TIME).withoutCalibration());
      gradients.run(trainer.grad);
      CallTree tree = Profiler.stop().tree();
      assertThat(tree.find("rmsnorm backward").work().bytes())
          .isEqualTo(4L * (4 * 6 * 101 + 2 * 101));
      assertThat(tree.find("gelu backward").calls()).isEqualTo(2);
      assertThat(tree.find("rope backward").calls()).isEqualTo(2);
      // 10 + 3 pairs of tokens, 6 heads, five products of 18 numbers.
      assertThat(tree.find("heads backward").work().flops()).isEqualTo(6 * 13 * (180 + 17));
      assertThat(tree.find("adamw").work().bytes()).isEqualTo(28L * 1500 * 101);
      for (String name :
          new String[] {
            "layernorm backward",
            "swiglu backward",
            "rows backward",
            "cross entropy",
            "sum",
            "sum of squares",
            "add gradients",
            "zero"
          }) {
        assertThat(tree.find(name).calls()).as(name).isEqualTo(1);
        assertThat(tree.find(name).work().bytes()).as(name).isPositive();
      }
    }
  }

  private static void refused(ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(parts);
  }
}
