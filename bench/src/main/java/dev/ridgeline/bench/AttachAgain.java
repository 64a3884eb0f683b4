package dev.ridgeline.bench;

import com.sun.tools.attach.VirtualMachine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Attaches the agent to a busy program again and again, and watches what stays: classes, memory,
 * threads. Arguments: times (100), milliseconds each (100).
 */
public final class AttachAgain {
  private AttachAgain() {}

  public static void main(String[] args) throws Exception {
    int times = args.length > 0 ? Integer.parseInt(args[0]) : 100;
    int millis = args.length > 1 ? Integer.parseInt(args[1]) : 100;
    Path folder = Files.createTempDirectory("attach-again");
    Path answer = Files.createFile(folder.resolve("answer"));
    Process target =
        new ProcessBuilder(
                Peers.java(),
                "-XX:+EnableDynamicAgentLoading",
                "-cp",
                Peers.benchJar(),
                BusyProgram.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var out = target.outputWriter();
        var in =
            new BufferedReader(
                new InputStreamReader(target.getInputStream(), StandardCharsets.UTF_8))) {
      System.out.println("          rounds/s   classes   heap kB   metaspace kB   threads");
      System.out.println("before  " + ask(out, in));
      for (int i = 1; i <= times; i++) {
        attach(target.pid(), "scope=BusyProgram.*,duration=%dms".formatted(millis), folder, answer);
        await(answer, i, target);
        if (i == 1 || i % Math.max(1, times / 10) == 0) {
          System.out.printf(Locale.ROOT, "%5d   %s%n", i, ask(out, in));
        }
      }
      out.write("end\n");
      out.flush();
      int code = target.waitFor();
      System.out.printf(
          "%d times attached and detached, exit code %d, %d runs kept%n",
          times, code, runs(answer).size());
      if (code != 0) System.exit(1);
    } finally {
      target.destroyForcibly();
      Peers.delete(folder);
    }
  }

  private static String ask(java.io.BufferedWriter out, BufferedReader in) throws IOException {
    out.write("tell\n");
    out.flush();
    return in.readLine();
  }

  private static void attach(long pid, String options, Path folder, Path answer) throws Exception {
    VirtualMachine vm = VirtualMachine.attach(Long.toString(pid));
    try {
      vm.loadAgent(
          Peers.agentJar(),
          options + ",quiet=on,formats=none,runs=" + folder.resolve("runs") + ",answer=" + answer);
    } finally {
      vm.detach();
    }
  }

  private static void await(Path answer, int number, Process target) throws Exception {
    for (int i = 0; i < 6_000 && runs(answer).size() < number; i++) {
      if (!target.isAlive()) throw new IllegalStateException("the program died");
      Thread.sleep(5);
    }
    if (runs(answer).size() < number) throw new IllegalStateException(Files.readString(answer));
  }

  private static List<String> runs(Path answer) throws IOException {
    return Files.readAllLines(answer).stream().filter(line -> line.startsWith("run ")).toList();
  }
}
