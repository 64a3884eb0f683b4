package dev.ridgeline.cli.foreign;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.report.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Records a program that runs already, for a while, and leaves it as it was.
 *
 * @param library a native agent that our own needs, or null
 */
record Attachment(long pid, Duration duration, Request request, Path library, Salvage salvage) {
  /** The agent itself ends in time; this long it may take to write. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * What became of it.
   *
   * @param kept the run
   * @param notes what the agent had to say
   */
  public record Ended(RunDirectory kept, List<String> notes) {}

  /** Records to the end of the time, or of the program. */
  public Ended record() {
    String jar = AgentJar.find().toString();
    try (Answers answers = new Answers()) {
      String options = request.with("answer", answers.file().toString()).text();
      load(jar, options);
      Thread stop = new Thread(() -> stopEarly(jar, answers), "stop-recording");
      Runtime.getRuntime().addShutdownHook(stop);
      try {
        return await(answers);
      } finally {
        try {
          Runtime.getRuntime().removeShutdownHook(stop);
        } catch (IllegalStateException _) {
          // Ctrl-C: it is running.
        }
      }
    }
  }

  private void load(String jar, String options) {
    VirtualMachine vm = attach();
    try {
      String version = vm.getSystemProperties().getProperty("java.specification.version", "?");
      if (!version.matches("\\d+") || Integer.parseInt(version) < JavaVersion.OLDEST) {
        throw new Problem(
            "process %d runs on Java %s, and the agent needs %d or newer: start it with %s"
                .formatted(pid, version, JavaVersion.OLDEST, JavaVersion.OWN));
      }
      Rehearsal.endsHere();
      if (library != null) vm.loadAgentPath(library.toString(), "loglevel=none");
      vm.loadAgent(jar, options);
    } catch (AgentInitializationException | AgentLoadException e) {
      // Why ours does not record, it would tell in its answer.
      throw new Problem("process %d takes no agents: %s".formatted(pid, e.getMessage()), e);
    } catch (IOException e) {
      throw new Problem("process %d is gone: %s".formatted(pid, e.getMessage()), e);
    } finally {
      try {
        vm.detach();
      } catch (IOException _) {
        // Then it is gone.
      }
    }
  }

  private VirtualMachine attach() {
    if (ProcessHandle.of(pid).isEmpty()) throw new Problem("no such process: " + pid + others());
    try {
      return VirtualMachine.attach(Long.toString(pid));
    } catch (AttachNotSupportedException | IOException e) {
      throw new Problem(
          "process %d is not a Java program that this user may attach to%s"
              .formatted(pid, others()),
          e);
    }
  }

  private static String others() {
    String self = Long.toString(ProcessHandle.current().pid());
    String found =
        VirtualMachine.list().stream()
            .filter(vm -> !vm.id().equals(self))
            .map(Attachment::describe)
            .limit(5)
            .collect(Collectors.joining(", "));
    return found.isEmpty() ? "" : "; Java programs here: " + found;
  }

  private static String describe(VirtualMachineDescriptor vm) {
    String name = vm.displayName().split(" ", 2)[0];
    return vm.id() + " " + name.substring(name.lastIndexOf('/') + 1);
  }

  private Ended await(Answers answers) {
    long patience = System.nanoTime() + duration.plus(PATIENCE).toNanos();
    boolean alive = true;
    while (System.nanoTime() < patience) {
      List<Path> kept = answers.runs();
      if (!kept.isEmpty()) return new Ended(new RunDirectory(kept.getLast()), answers.notes());
      if (answers.refused() != null) throw new Problem(answers.refused());
      if (!alive) return salvaged();
      alive = ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
      pause();
    }
    throw new Problem("process " + pid + " no longer answers");
  }

  private Ended salvaged() {
    List<RunDirectory> saved = salvage.keep();
    String told = Salvage.told("process " + pid + " was killed or halted", saved);
    if (saved.isEmpty()) throw new Problem(told);
    return new Ended(saved.getLast(), List.of(told));
  }

  /** Ctrl-C: what was recorded until now is kept. */
  private void stopEarly(String jar, Answers answers) {
    try {
      VirtualMachine vm = VirtualMachine.attach(Long.toString(pid));
      vm.loadAgent(jar, "stop=on");
      vm.detach();
      for (int i = 0; i < 600 && answers.runs().isEmpty(); i++) pause();
      for (Path run : answers.runs()) System.err.println("ridgeline: kept " + run);
    } catch (Exception e) {
      System.err.println("ridgeline: process " + pid + " records on until its time is over");
    }
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new Problem("interrupted");
    }
  }
}
