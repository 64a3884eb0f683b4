package dev.ridgeline.profiler;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The name of a stretch of work, kept in a constant: {@code static final Scope ATTENTION =
 * Scope.of("attention")}.
 *
 * <p>Equal names are the same scope. A scope lives as long as the JVM, so make them from constants,
 * not from data; {@link #numbered} serves layers and the like.
 */
public final class Scope {
  private static final ConcurrentHashMap<String, Scope> ALL = new ConcurrentHashMap<>();
  private static final int MAX_NAME = 1_000;
  private static final int MAX_NUMBER = 1 << 20;
  private static final AtomicInteger NEXT_ID = new AtomicInteger();

  /** Small and dense, so that it spreads well in the little hash tables of the tree. */
  final int id;

  private final String name;

  private Scope(String name) {
    this.name = name;
    this.id = NEXT_ID.getAndIncrement();
  }

  /** The scope of this name. */
  public static Scope of(String name) {
    if (Objects.requireNonNull(name, "a scope needs a name").isBlank()) {
      throw new IllegalArgumentException("a scope needs a name that is not blank");
    }
    if (name.length() > MAX_NAME || !StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      throw new IllegalArgumentException(
          "a scope's name has at most %,d characters, all of them whole".formatted(MAX_NAME));
    }
    return ALL.computeIfAbsent(name, Scope::new);
  }

  /** A family of scopes told apart by number: {@code layer 0}, {@code layer 1}, … */
  public static Numbered numbered(String name) {
    return new Numbered(Scope.of(name).name);
  }

  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return name;
  }

  /**
   * A family of scopes told apart by number. Looking one up builds no string after its first use.
   */
  public static final class Numbered {
    private final String name;
    private volatile Scope[] scopes = new Scope[0];

    private Numbered(String name) {
      this.name = name;
    }

    /** The scope with this number, from 0. */
    public Scope at(int number) {
      Scope[] known = scopes;
      if (number >= 0 && number < known.length && known[number] != null) return known[number];
      return make(number);
    }

    private synchronized Scope make(int number) {
      if (number < 0 || number >= MAX_NUMBER) {
        throw new IllegalArgumentException(
            "%s %d: from 0 to %,d".formatted(name, number, MAX_NUMBER - 1));
      }
      Scope[] more =
          number < scopes.length
              ? scopes.clone()
              : Arrays.copyOf(scopes, Math.max(number + 1, 2 * scopes.length));
      more[number] = Scope.of(name + " " + number);
      scopes = more;
      return more[number];
    }
  }
}
