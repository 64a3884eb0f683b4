package acme.engine;

import dev.ridgeline.profiler.Profiled;

/** A program with everything that a woven method can meet. */
public final class Engine {
  static int initialised;

  static {
    for (int i = 0; i < 3; i++) initialised += spin(1);
  }

  private final int size;

  Engine(int size) {
    this(size, spin(size > 0 ? size : -size) > 0);
  }

  Engine(int size, boolean positive) {
    super();
    this.size = positive ? size : spin(2);
  }

  int size() {
    return size;
  }

  public static void main(String[] args) {
    for (int i = 0; i < 3; i++) layer(new Engine(i + 1), i);
    recursion(5);
    for (int i = 0; i < 4; i++) {
      try {
        failing(i);
      } catch (IllegalStateException e) {
        nested(e);
      }
    }
    overloaded(1);
    overloaded("one");
    overloaded("one");
    switching(7);
    switching(8);
    new Engine(1).locked();
    annotated();
    annotated();
    Runnable lambda = () -> spin(3);
    lambda.run();
    new Engine(2).size();
    System.out.println("answer " + initialised);
  }

  static void layer(Engine engine, int depth) {
    attention(engine.size);
    if (depth > 0) {
      attention(depth);
      return;
    }
    feedForward(engine.size);
  }

  static int attention(int n) {
    return spin(n);
  }

  static int feedForward(int n) {
    return spin(n) + attention(n);
  }

  static int recursion(int n) {
    return n == 0 ? spin(1) : recursion(n - 1);
  }

  static void failing(int n) {
    attention(n);
    if (n >= 0) throw new IllegalStateException("planned " + n);
  }

  static String nested(RuntimeException e) {
    try {
      throw e;
    } catch (IllegalStateException again) {
      return again.getMessage() + spin(1);
    } finally {
      spin(2);
    }
  }

  static int overloaded(int value) {
    return spin(value);
  }

  static int overloaded(String value) {
    return spin(value.length());
  }

  /** Locals of several sizes and types in the same slots, and many ways out. */
  static double switching(int n) {
    if (n > 7) {
      long wide = spin(n);
      double sum = wide;
      for (int i = 0; i < n; i++) sum += i * wide;
      return sum;
    }
    String text = "n" + n;
    Object other = text;
    return switch (other) {
      case String s when s.length() > 10 -> spin(1);
      case String s -> {
        synchronized (s) {
          yield s.hashCode() + spin(2);
        }
      }
      default -> throw new IllegalArgumentException(text);
    };
  }

  synchronized void locked() {
    spin(size);
  }

  @Profiled("a name of its own")
  static void annotated() {
    spin(1);
  }

  /** Worth a scope: it loops. */
  static int spin(int n) {
    int sum = 1;
    for (int i = 0; i < n; i++) sum = sum * 31 + i;
    return sum | 1;
  }
}
