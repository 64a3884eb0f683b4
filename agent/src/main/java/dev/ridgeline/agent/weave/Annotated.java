package dev.ridgeline.agent.weave;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.WeakHashMap;

/** Finds classes with the annotation without parsing them. */
final class Annotated {
  static final String PROFILED = "Ldev/ridgeline/profiler/Profiled;";

  private static final byte[] NAME = PROFILED.getBytes(StandardCharsets.US_ASCII);

  /** Whether a class loader finds the annotation: who uses it usually does. */
  private final Map<ClassLoader, Boolean> seesAnnotation = new WeakHashMap<>();

  /** Looks into the file of a loaded class; one that has none is not annotated. */
  synchronized boolean in(Class<?> loaded) {
    ClassLoader loader = loaded.getClassLoader();
    if (loader == null) return false;
    boolean sees = seesAnnotation.computeIfAbsent(loader, Annotated::sees);
    if (!sees) return false;
    String file = loaded.getName().replace('.', '/') + ".class";
    try (InputStream in = loader.getResourceAsStream(file)) {
      return in != null && in(in.readAllBytes());
    } catch (IOException | RuntimeException | LinkageError e) {
      return false;
    }
  }

  private static boolean sees(ClassLoader loader) {
    return loader.getResource(PROFILED.substring(1, PROFILED.length() - 1) + ".class") != null;
  }

  /** Looks among the constants of a class. */
  static boolean in(byte[] bytes) {
    int last = bytes.length - NAME.length;
    byte length = (byte) NAME.length;
    // A constant begins with its length, which is rarer than the first letter.
    for (int i = 1; i <= last; i++) {
      if (bytes[i - 1] == length && bytes[i] == NAME[0] && matches(bytes, i)) return true;
    }
    return false;
  }

  private static boolean matches(byte[] bytes, int at) {
    for (int i = 1; i < NAME.length; i++) if (bytes[at + i] != NAME[i]) return false;
    return true;
  }
}
