package dev.ridgeline.model.pass;

import dev.ridgeline.profiler.Scope;

/** What a profile calls the parts of a pass, whatever the architecture. */
public final class PassScopes {
  public static final Scope EMBEDDING = Scope.of("embedding");
  public static final Scope.Numbered LAYER = Scope.numbered("layer");
  public static final Scope ATTENTION = Scope.of("attention");
  public static final Scope QKV = Scope.of("qkv");
  public static final Scope OUTPUT = Scope.of("output");
  public static final Scope NORM = Scope.of("norm");
  public static final Scope FFN = Scope.of("ffn");
  public static final Scope UP = Scope.of("up");
  public static final Scope DOWN = Scope.of("down");
  public static final Scope POOLING = Scope.of("pooling");

  /** Dense layers after the pooling. */
  public static final Scope HEADS = Scope.of("heads");

  private PassScopes() {}
}
