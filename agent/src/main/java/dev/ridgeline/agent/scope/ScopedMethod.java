package dev.ridgeline.agent.scope;

import java.nio.charset.StandardCharsets;

/**
 * A method that is a scope.
 *
 * @param className with its package, nested classes behind {@code $}
 * @param method its name
 * @param descriptor its types
 * @param givenName the name that its annotation gives, or empty
 */
public record ScopedMethod(String className, String method, String descriptor, String givenName) {
  /** Scopes have names of 1,000 characters at most; a generated method may have 255 parameters. */
  private static final int LONGEST = 900;

  /** Never the same for two methods, unless their annotations say so. */
  public String scopeName() {
    String name = givenName.isEmpty() ? qualified() + descriptor : givenName;
    // A class file may hold half a pair of characters where a scope may not.
    String whole = new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    if (whole.length() <= LONGEST && whole.equals(name)) return name;
    return whole
            .codePoints()
            .limit(LONGEST / 2)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        + "#"
        + Integer.toHexString(name.hashCode());
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
