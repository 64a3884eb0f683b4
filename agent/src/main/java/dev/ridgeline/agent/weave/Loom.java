package dev.ridgeline.agent.weave;

import dev.ridgeline.agent.hook.Hooks;
import dev.ridgeline.agent.scope.ScopeRules;
import dev.ridgeline.agent.scope.ScopeTable;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Weaves classes while it is in place: those that are loaded and those to come. Taken away again it
 * leaves every class as it was. A class that cannot be woven stays as it is, and is counted.
 */
public final class Loom implements ClassFileTransformer {
  private final Instrumentation jvm;
  private final ScopeRules rules;
  private final ScopeWeaver scopes;
  private final boolean handovers;

  /** Whether a class loader finds the hooks; some hide what they do not know. */
  private final Map<ClassLoader, Boolean> seesHooks =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Set<String> woven = ConcurrentHashMap.newKeySet();
  private final Map<String, String> failures = new ConcurrentHashMap<>();

  public Loom(Instrumentation jvm, ScopeRules rules, ScopeTable table, boolean handovers) {
    this.jvm = jvm;
    this.rules = rules;
    this.scopes = new ScopeWeaver(rules, table);
    this.handovers = handovers;
  }

  /** Weaves from now on, beginning with what is loaded. */
  public void install() {
    warmUp();
    jvm.addTransformer(this, true);
    retransform(concerned());
  }

  /** Gives every class back its own code. */
  public void remove() {
    jvm.removeTransformer(this);
    retransform(wovenClasses());
  }

  /** Goes every way once before the JVM asks, since loading a class asks again. */
  private void warmUp() {
    scopes.warmUp();
    if (handovers) HandoverWeaver.warmUp();
    transform(null, null, "java/nothing/Nothing", null, null, new byte[64]);
    transform(null, ClassLoader.getSystemClassLoader(), "no/Nothing", null, null, new byte[64]);
    failures.clear();
  }

  private List<Class<?>> concerned() {
    List<Class<?>> concerned = new ArrayList<>();
    for (Class<?> loaded : loaded()) {
      if (!jvm.isModifiableClass(loaded) || loaded.isHidden() || loaded.isArray()) continue;
      if (isHandover(loaded.getName().replace('.', '/'), loaded.getClassLoader())
          || Territory.open(loaded.getClassLoader(), loaded.getName(), rules)
              && scopes.concerns(loaded)) {
        concerned.add(loaded);
      }
    }
    return concerned;
  }

  /** Classes by name: a loader may have loaded more of them since. */
  private List<Class<?>> wovenClasses() {
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> loaded : loaded()) {
      if (woven.contains(loaded.getName().replace('.', '/')) && jvm.isModifiableClass(loaded)) {
        classes.add(loaded);
      }
    }
    return classes;
  }

  private void retransform(List<Class<?>> classes) {
    if (classes.isEmpty()) return;
    try {
      jvm.retransformClasses(classes.toArray(Class<?>[]::new));
    } catch (UnmodifiableClassException | LinkageError | RuntimeException together) {
      for (Class<?> one : classes) retransform(one);
    }
  }

  private void retransform(Class<?> one) {
    try {
      jvm.retransformClasses(one);
    } catch (UnmodifiableClassException | LinkageError | RuntimeException e) {
      failures.put(one.getName(), reason(e));
    }
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String name,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] bytes) {
    // A hidden class has no name yet.
    if (name == null) return null;
    try {
      byte[] changed =
          isHandover(name, loader) ? HandoverWeaver.weave(bytes) : weave(loader, name, bytes);
      if (changed != null) woven.add(name);
      return changed;
    } catch (Throwable e) {
      // Whatever went wrong is ours, not the program's.
      failures.put(name.replace('/', '.'), reason(e));
      return null;
    }
  }

  private byte[] weave(ClassLoader loader, String name, byte[] bytes) {
    String className = name.replace('/', '.');
    if (!Territory.open(loader, className, rules) || !scopes.concerns(className, bytes)) {
      return null;
    }
    if (!seesHooks(loader)) {
      failures.put(className, "its class loader hides " + Hooks.class.getPackageName());
      return null;
    }
    return scopes.weave(bytes);
  }

  private boolean isHandover(String name, ClassLoader loader) {
    return handovers && loader == null && HandoverWeaver.concerns(name);
  }

  private boolean seesHooks(ClassLoader loader) {
    if (loader == null || loader == ClassLoader.getSystemClassLoader()) return true;
    Boolean known = seesHooks.get(loader);
    if (known == null) {
      try {
        known = Class.forName(Hooks.class.getName(), false, loader) == Hooks.class;
      } catch (ClassNotFoundException | LinkageError e) {
        known = false;
      }
      seesHooks.put(loader, known);
    }
    return known;
  }

  private static String reason(Throwable e) {
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message.lines().findFirst().orElse("");
  }

  /** The rules that it weaves by. */
  public ScopeRules rules() {
    return rules;
  }

  /** Every class that this JVM has loaded. */
  public Class<?>[] loaded() {
    return jvm.getAllLoadedClasses();
  }

  /** How many methods were made scopes. */
  public int scopes() {
    return scopes.count();
  }

  /** The classes that could not be woven, and why. */
  public Map<String, String> failures() {
    return Map.copyOf(failures);
  }
}
