package dev.ridgeline.agent.scope;

/**
 * A method that is a scope.
 *
 * @param className with its package, nested classes behind {@code $}
 * @param method its name
 * @param descriptor its types
 * @param givenName the name that its annotation gives, or empty
 */
public record ScopedMethod(String className, String method, String descriptor, String givenName) {
  /** Never the same for two methods, unless their annotations say so. */
  public String scopeName() {
    return givenName.isEmpty() ? qualified() + descriptor : givenName;
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
