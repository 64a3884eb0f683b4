package dev.ridgeline.agent.record;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * The program around the agent.
 *
 * @param main its main class, its jar or its source file
 * @param command its command line, word by word
 */
record Program(String main, List<String> command) {
  /** What the JVM says in place of a program that is a source file. */
  private static final String SOURCE_LAUNCHER =
      "jdk.compiler/com.sun.tools.javac.launcher.SourceLauncher ";

  private static final String JAR = ".jar";
  private static final String SOURCE = ".java";

  static Program here() {
    List<String> command = new ArrayList<>(List.of("java"));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    // The JVM's own record: main class, jar or source file, then the arguments.
    String java = System.getProperty("sun.java.command", "").strip();
    if (!java.isEmpty()) command.addAll(List.of(java.split(" ")));
    return new Program(main(java, System.getProperty("java.class.path", "")), command);
  }

  /**
   * What was started.
   *
   * @param java the JVM's record: options are gone already, but nothing tells where a name with
   *     spaces ends
   * @param classPath of a program in a jar, that jar
   */
  static String main(String java, String classPath) {
    if (java.isEmpty()) return "java";
    if (classPath.endsWith(JAR) && (java + " ").startsWith(classPath + " ")) return classPath;
    if (!java.startsWith(SOURCE_LAUNCHER)) return java.split(" ", 2)[0];
    String source = java.substring(SOURCE_LAUNCHER.length());
    int end = (source + " ").indexOf(SOURCE + " ");
    return end < 0 ? source.split(" ", 2)[0] : source.substring(0, end + SOURCE.length());
  }

  /** What people call it: a file without its ending, a class without module and package. */
  String word() {
    String name = main.substring(main.lastIndexOf('/') + 1);
    if (name.endsWith(JAR)) return name.substring(0, name.length() - JAR.length());
    if (name.endsWith(SOURCE)) return name.substring(0, name.length() - SOURCE.length());
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** The package of its main class, or empty. */
  String mainPackage() {
    String name = main.substring(main.lastIndexOf('/') + 1);
    return main.endsWith(JAR) || main.endsWith(SOURCE) || !name.contains(".")
        ? ""
        : name.substring(0, name.lastIndexOf('.'));
  }
}
