package dev.ridgeline.agent;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;

/**
 * The entry of the agent, at the start of a program ({@code -javaagent}) or while it runs (attach).
 *
 * <p>Compiled for Java 8, so that an older JVM can read it and say that it is too old. Everything
 * else is loaded by {@link InsideLoader}, away from the program's own classes.
 */
public final class Agent {
  private static final int OLDEST = 25;
  private static final int BAD_QUESTION = 2;

  /** {@code Control.attach(String)} of the one agent in this JVM, once it is there. */
  private static Object control;

  private Agent() {}

  /** Called by the JVM before the program's main method. */
  public static void premain(String options, Instrumentation instrumentation) {
    String refusal = start("premain", options, instrumentation);
    if (refusal == null) return;
    System.err.println("ridgeline-agent: " + refusal);
    Runtime.getRuntime().halt(BAD_QUESTION);
  }

  /**
   * Called by the JVM when the agent is attached; may happen again and again. Nothing is thrown:
   * the JVM would print the stack and complaints of its own into a program that is none of ours. A
   * refusal is in the answer file; one that nobody listens for is a line.
   */
  public static void agentmain(String options, Instrumentation instrumentation) {
    String refusal = start("agentmain", options, instrumentation);
    if (refusal != null) System.err.println("ridgeline-agent: " + refusal);
  }

  private static synchronized String start(String how, String options, Instrumentation jvm) {
    String version = System.getProperty("java.specification.version");
    if (version.startsWith("1.") || Integer.parseInt(version) < OLDEST) {
      return "needs Java " + OLDEST + " or newer, this is " + System.getProperty("java.version");
    }
    try {
      if (control == null) control = load(jvm);
      return (String)
          control
              .getClass()
              .getMethod(how, String.class)
              .invoke(control, options == null ? "" : options);
    } catch (Exception | LinkageError e) {
      Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
      if (Boolean.getBoolean("ridgeline.verbose")) cause.printStackTrace();
      return "a defect of the agent: " + cause + " (-Dridgeline.verbose=true shows where)";
    }
  }

  private static Object load(Instrumentation jvm) throws Exception {
    File jar = new File(Agent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return InsideLoader.over(jar)
        .loadClass("dev.ridgeline.agent.record.Control")
        .getConstructor(Instrumentation.class)
        .newInstance(jvm);
  }
}
