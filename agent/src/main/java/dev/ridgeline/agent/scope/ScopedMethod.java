package dev.ridgeline.agent.scope;

import java.nio.charset.StandardCharsets;

/**
 * A method that is a scope.
 *
 * @param className with its package, nested classes after {@code $}
 * @param method its name
 * @param descriptor its types
 * @param givenName the name that its annotation gives, or empty
 */
public record ScopedMethod(String className, String method, String descriptor, String givenName) {
  /** What the profiler takes as a name. */
  private static final int LONGEST = 1_000;

  public ScopedMethod {
    givenName = givenName.isBlank() ? "" : whole(givenName);
  }

  /** Never the same for two methods, unless their annotations say so. */
  public String scopeName() {
    return givenName.isEmpty() ? whole(qualified() + descriptor) : givenName;
  }

  /** A name as it may be: not too long, and no halves of characters, which class files allow. */
  private static String whole(String name) {
    String whole = new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    if (whole.length() <= LONGEST && whole.equals(name)) return name;
    String end = "…" + Integer.toHexString(name.hashCode());
    int length = Math.min(whole.length(), LONGEST - end.length());
    if (Character.isHighSurrogate(whole.charAt(length - 1))) length--;
    return whole.substring(0, length) + end;
  }

  /** {@code Outer.Inner.bar}. */
  String simple() {
    return qualified().substring(className.lastIndexOf('.') + 1);
  }

  /** {@code com.acme.Outer.Inner.bar}. */
  String qualified() {
    String name = className.replaceAll("\\$(?=\\p{Alpha})", ".");
    return name + "." + (method.equals("<init>") ? "new" : method);
  }
}
