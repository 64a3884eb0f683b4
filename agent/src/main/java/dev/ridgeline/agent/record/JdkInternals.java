package dev.ridgeline.agent.record;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The few things inside the JDK that the agent must know, and may do without. */
final class JdkInternals {
  /** Each before those that need it. */
  private static final List<String> HOOKS =
      List.of("dev/ridgeline/agent/hook/Sink", "dev/ridgeline/agent/hook/Hooks");

  private final Instrumentation jvm;

  JdkInternals(Instrumentation jvm) {
    this.jvm = jvm;
  }

  /**
   * A program made of modules may have started without those that the profiler needs; they are
   * loaded as the JVM itself loads java.instrument when an agent is attached.
   */
  void loadModules() throws ReflectiveOperationException {
    open("jdk.internal.module");
    for (String name : new String[] {"java.management", "jdk.management", "jdk.jfr"}) {
      if (ModuleLayer.boot().findModule(name).isPresent()) continue;
      // A JVM made by jlink may do without: then nothing can be sampled.
      if (name.equals("jdk.jfr") && ModuleFinder.ofSystem().find(name).isEmpty()) continue;
      Class.forName("jdk.internal.module.Modules")
          .getMethod("loadModule", String.class)
          .invoke(null, name);
    }
  }

  /**
   * Gives the boot class loader the classes that woven code calls. Not by appending a jar to its
   * path: the JVM would stop sharing the program's classes, and say so on standard output.
   */
  void defineHooks() throws ReflectiveOperationException, IOException {
    open("jdk.internal.misc");
    Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
    Object unsafe = type.getMethod("getUnsafe").invoke(null);
    Method define =
        type.getMethod(
            "defineClass",
            String.class,
            byte[].class,
            int.class,
            int.class,
            ClassLoader.class,
            ProtectionDomain.class);
    for (String name : HOOKS) {
      try (InputStream in = JdkInternals.class.getResourceAsStream("/" + name + ".class")) {
        byte[] bytes = in.readAllBytes();
        define.invoke(unsafe, name, bytes, 0, bytes.length, null, null);
      }
    }
  }

  /** The pool that runs virtual threads, or null when this JDK hides it elsewhere. */
  Object virtualThreadScheduler() {
    try {
      open("java.lang");
      Field field = Class.forName("java.lang.VirtualThread").getDeclaredField("DEFAULT_SCHEDULER");
      field.setAccessible(true);
      return field.get(null);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  /**
   * The thread that ends the flight recorder at exit, taken out of those that run then: they run
   * all at once, and it would stop our recording before we have read it. Null when there is none.
   */
  Thread takeFlightRecorderExit() {
    try {
      open("java.lang");
      Field field = Class.forName("java.lang.ApplicationShutdownHooks").getDeclaredField("hooks");
      field.setAccessible(true);
      for (Object hook : List.copyOf(((Map<?, ?>) field.get(null)).keySet())) {
        if (!hook.getClass().getName().equals("jdk.jfr.internal.ShutdownHook")) continue;
        return Runtime.getRuntime().removeShutdownHook((Thread) hook) ? (Thread) hook : null;
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      // Then we may lose samples, and say so.
    }
    return null;
  }

  /** A class of the JDK, or null. */
  Class<?> classNamed(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private void open(String packageName) {
    Module own = JdkInternals.class.getModule();
    jvm.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of(packageName, Set.of(own)),
        Map.of(packageName, Set.of(own)),
        Set.of(),
        Map.of());
  }
}
