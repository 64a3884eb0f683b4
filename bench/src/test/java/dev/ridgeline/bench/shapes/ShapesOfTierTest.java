package dev.ridgeline.bench.shapes;

import static dev.ridgeline.bench.shapes.Stage.get;
import static dev.ridgeline.bench.shapes.Stage.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import dev.ridgeline.tensor.kernel.vector.VectorKernels;
import dev.ridgeline.tensor.tune.Tiling;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ShapesOfTierTest {
  private Kernels kernels;

  @BeforeEach
  void assemble() {
    String obstacle = AssembledKernels.obstacle(CpuFeatures.here());
    assumeTrue(obstacle == null, "nothing is assembled here: " + obstacle);
    kernels = new AssembledKernels(new VectorKernels(), Tiling.here());
  }

  @Test
  void randomShapesAreRight() {
    try (var shapes =
        new ShapesOfTier(kernels, new AssembledKernels(new ScalarKernels(), Tiling.here()))) {
      for (long seed = 0; seed < 400; seed++) {
        try {
          shapes.run(seed);
        } catch (Wrong e) {
          throw new AssertionError("seed " + seed, e);
        }
      }
    }
  }

  /** Address, stride and columns of the last result of a product. */
  private record Last(long row, int from, int to) {}

  private static Last last(Object[] matmul) {
    int outputs = (int) matmul[2];
    int rowTo = (int) matmul[7];
    int panelFrom = (int) matmul[8];
    int panelTo = (int) matmul[9];
    long out = (long) matmul[11];
    int stride = (int) matmul[12];
    long row = out + 4L * stride * (rowTo - 1);
    return new Last(row, 32 * panelFrom, Math.min(outputs, 32 * panelTo));
  }

  private static void findsFault(Kernels right, String operation, InvocationHandler fault) {
    Kernels wrong = faulty(Kernels.class, right, operation, fault);
    try (var shapes = new ShapesOfTier(wrong, wrong)) {
      assertThatThrownBy(
              () -> {
                for (long seed = 0; seed < 300; seed++) shapes.run(seed);
              })
          .isInstanceOf(Wrong.class);
    }
  }

  /** Kernels of which one operation is faulty, their own or that of a part of them. */
  private static <K> K faulty(Class<K> type, K right, String operation, InvocationHandler fault) {
    InvocationHandler handler =
        (proxy, method, args) -> {
          Object answer = method.invoke(right, args);
          if (method.getName().equals(operation)) fault.invoke(proxy, method, args);
          Class<?> part = method.getReturnType();
          return part.isInterface() ? part(part, answer, operation, fault) : answer;
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static <K> K part(
      Class<K> type, Object right, String operation, InvocationHandler fault) {
    return faulty(type, type.cast(right), operation, fault);
  }

  @Test
  void aProductThatIsALittleOffIsFound() {
    findsFault(
        kernels,
        "matmul",
        (_, _, args) -> {
          Last last = last(args);
          float value = get(last.row, last.to - 1);
          put(last.row, last.to - 1, value + Math.max(1e-3f, Math.abs(value) * 0.5f));
          return null;
        });
  }

  @Test
  void aResultThatIsLeftOutIsFound() {
    findsFault(
        kernels,
        "matmul",
        (_, _, args) -> {
          Last last = last(args);
          put(last.row, last.from, Float.intBitsToFloat(Stage.UNTOUCHED));
          return null;
        });
  }

  @Test
  void scoresOfAnotherQueryAreFound() {
    findsFault(
        kernels,
        "scores",
        (_, _, args) -> {
          long out = (long) args[8];
          put(out, 0, get(out, 0) * 1.001f);
          return null;
        });
  }

  @Test
  void aSeedGivesTheSameWhateverCameBefore() {
    try (var one = new Stage(kernels);
        var other = new Stage(kernels)) {
      one.begin(1);
      one.stored(TensorType.Q4_0, 320);
      one.begin(7);
      other.begin(7);
      long a = one.filled(Stage.Kind.NORMAL, 3, 40, 33);
      long b = other.filled(Stage.Kind.NORMAL, 3, 40, 33);
      Stage.same(a, b, 3, 40, 33, "numbers");
      assertThat(one.size()).isEqualTo(other.size());
    }
  }
}
