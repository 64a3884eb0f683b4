package dev.ridgeline.agent.weave;

import dev.ridgeline.agent.scope.ScopeRules;

/**
 * Where scopes may be woven: in the program always, in the JDK only where a pattern spells the
 * package out, and never in what the profiler itself runs on.
 */
final class Territory {
  /** Packages, with those below them, that the profiler uses while it records. */
  private static final String[] OWN_GROUND = {
    "java.lang.",
    "java.util.concurrent.",
    "java.time.",
    "java.io.",
    "java.nio.",
    "java.security.",
    "java.util.function.",
    "java.util.stream.",
    "jdk.internal.",
    "sun.",
    "javax.management.",
    "com.sun.management.",
    "com.sun.jmx."
  };

  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

  private Territory() {}

  static boolean open(ClassLoader loader, String className, ScopeRules rules) {
    if (loader == Territory.class.getClassLoader()) return false;
    if (className.startsWith("dev.ridgeline.agent.")) return false;
    if (loader != null && loader != PLATFORM) return true;
    int dot = className.lastIndexOf('.');
    // java.util itself, not what is below it.
    if (dot < 0 || className.substring(0, dot).equals("java.util")) return false;
    for (String ground : OWN_GROUND) if (className.startsWith(ground)) return false;
    return rules.nameJdkPackage(className.substring(0, dot));
  }
}
