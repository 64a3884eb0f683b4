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
 * threads; then the same with an agent that changes nothing, whose leavings are the JVM's own.
 * Arguments: times (100), milliseconds each (100).
 */
public final class AttachAgain {
  private AttachAgain() {}

  public static void main(String[] args) throws Exception {
    int times = args.length > 0 ? Integer.parseInt(args[0]) : 100;
    int millis = args.length > 1 ? Integer.parseInt(args[1]) : 100;
    Path folder = Files.createTempDirectory("attach-again");
    try {
      System.out.println("the agent");
      watch(
          times,
          (target, number) -> {
            Path answer = folder.resolve("answer");
            if (number == 1) Files.createFile(answer);
            attach(target.pid(), millis, folder, answer);
            await(answer, number, target);
          });
      System.out.printf("%d runs kept%n%n", runs(folder.resolve("answer")).size());
      System.out.println("an agent that changes nothing");
      watch(times, (target, _) -> load(target.pid(), Peers.benchJar(), Integer.toString(millis)));
    } finally {
      Peers.delete(folder);
    }
  }

  private interface Visit {
    void pay(Process target, int number) throws Exception;
  }

  private static void watch(int times, Visit visit) throws Exception {
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
        visit.pay(target, i);
        if (i == 1 || i % Math.max(1, times / 10) == 0) {
          System.out.printf(Locale.ROOT, "%5d   %s%n", i, ask(out, in));
        }
      }
      out.write("end\n");
      out.flush();
      int code = target.waitFor();
      System.out.printf("%d times attached and detached, exit code %d%n", times, code);
      if (code != 0) System.exit(1);
    } finally {
      target.destroyForcibly();
    }
  }

  private static String ask(java.io.BufferedWriter out, BufferedReader in) throws IOException {
    out.write("tell\n");
    out.flush();
    return in.readLine();
  }

  private static void attach(long pid, int millis, Path folder, Path answer) throws Exception {
    load(
        pid,
        Peers.agentJar(),
        "scope=BusyProgram.*,duration=%dms,quiet=on,formats=none,runs=%s,answer=%s"
            .formatted(millis, folder.resolve("runs"), answer));
  }

  private static void load(long pid, String agent, String options) throws Exception {
    VirtualMachine vm = VirtualMachine.attach(Long.toString(pid));
    try {
      vm.loadAgent(agent, options);
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
