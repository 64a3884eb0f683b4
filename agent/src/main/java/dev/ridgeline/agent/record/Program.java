package dev.ridgeline.agent.record;

import dev.ridgeline.report.run.Again;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The program around the agent.
 *
 * @param main its main class, its jar or its source file
 * @param command its command line, word by word
 * @param start what a shell can type to start it again; empty where that is not known
 */
record Program(String main, List<String> command, String start) {
  /** What the JVM says in place of a program that is a source file. */
  private static final String SOURCE_LAUNCHER =
      "jdk.compiler/com.sun.tools.javac.launcher.SourceLauncher ";

  private static final String JAR = ".jar";
  private static final String SOURCE = ".java";

  /** The agent and its sampler, which record a program and are no part of it. */
  private static final Pattern RECORDER =
      Pattern.compile("-javaagent:[^=]*ridgeline-agent[^=]*\\.jar=.*|-agentpath:.*asyncProfiler.*");

  static Program here() {
    List<String> command = new ArrayList<>(List.of("java"));
    List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
    command.addAll(flags);
    // The JVM's own record: main class, jar or source file, then the arguments.
    String java = System.getProperty("sun.java.command", "").strip();
    if (!java.isEmpty()) command.addAll(List.of(java.split(" ")));
    String classPath = System.getProperty("java.class.path", "");
    List<String> start = new ArrayList<>();
    start.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    start.addAll(flags.stream().filter(flag -> !RECORDER.matcher(flag).matches()).toList());
    if (!java.isEmpty()) start.addAll(program(java, classPath));
    return new Program(main(java, classPath), command, java.isEmpty() ? "" : shell(start));
  }

  private static String shell(List<String> start) {
    String folder = Path.of("").toAbsolutePath().toString();
    return "cd %s && %s".formatted(Again.quoted(folder), Again.line(start));
  }

  /**
   * What follows the flags of the JVM.
   *
   * @param java the JVM's record
   */
  static List<String> program(String java, String classPath) {
    String main = main(java, classPath);
    boolean source = java.startsWith(SOURCE_LAUNCHER);
    String rest =
        (source ? java.substring(SOURCE_LAUNCHER.length()) : java).substring(main.length());
    List<String> words = new ArrayList<>();
    if (main.equals(classPath)) {
      words.add("-jar");
    } else {
      if (!classPath.isEmpty()) words.addAll(List.of("-cp", classPath));
      if (!source && main.contains("/")) words.add("-m");
    }
    words.add(main);
    if (!rest.isBlank()) words.addAll(List.of(rest.strip().split(" ")));
    return words;
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
