package dev.ridgeline.agent.record;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The program around the agent.
 *
 * @param main its main class, or its jar
 * @param command its command line, word by word
 */
record Program(String main, List<String> command) {
  static Program here() {
    // The JVM's own record: main class or jar, then the arguments.
    String java = System.getProperty("sun.java.command", "").strip();
    String main = java.isEmpty() ? "java" : java.split(" ", 2)[0];
    List<String> command = new ArrayList<>(List.of("java"));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    if (!java.isEmpty()) command.addAll(List.of(java.split(" ")));
    return new Program(main, command);
  }

  /** A word for the name of a run: the jar without its ending, the class without its package. */
  String word() {
    if (main.endsWith(".jar")) {
      String file = Path.of(main).getFileName().toString();
      return file.substring(0, file.length() - ".jar".length());
    }
    String name = main.substring(main.lastIndexOf('/') + 1);
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** The package of its main class, or empty. */
  String mainPackage() {
    String name = main.substring(main.lastIndexOf('/') + 1);
    return main.endsWith(".jar") || !name.contains(".")
        ? ""
        : name.substring(0, name.lastIndexOf('.'));
  }
}
