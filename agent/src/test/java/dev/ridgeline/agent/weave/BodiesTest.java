package dev.ridgeline.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A wildcard passes over what is too small to be worth a scope, and over nothing else. */
class BodiesTest {
  @ParameterizedTest
  @CsvSource({
    "getter, true",
    "formula, true",
    "loop, false",
    "call, false",
    "bulk, false",
    "objects, false",
    "matrix, false",
    "object, false",
  })
  void aBodyIsTrivialWithoutCallsLoopsAndAllocation(String method, boolean trivial)
      throws IOException {
    assertThat(
            Bodies.trivial(
                model().methods().stream()
                    .filter(found -> found.methodName().equalsString(method))
                    .findFirst()
                    .orElseThrow()))
        .isEqualTo(trivial);
  }

  private static ClassModel model() throws IOException {
    String file = Methods.class.getName().replace('.', '/') + ".class";
    try (InputStream in = ClassLoader.getSystemResourceAsStream(file)) {
      return ClassFile.of().parse(in.readAllBytes());
    }
  }

  @SuppressWarnings("unused")
  private static final class Methods {
    private int value;

    int getter() {
      return value;
    }

    int formula() {
      return 3 * value + 1;
    }

    int loop() {
      int sum = 0;
      for (int i = 0; i < value; i++) sum += i;
      return sum;
    }

    int call() {
      return getter();
    }

    static int[] bulk() {
      return new int[4_000_000];
    }

    static Object[] objects() {
      return new Object[4_000_000];
    }

    static int[][] matrix() {
      return new int[2_000][2_000];
    }

    static Object object() {
      return new Object();
    }
  }
}
