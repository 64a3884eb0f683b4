package dev.ridgeline.report.run;

import static java.util.regex.Pattern.CASE_INSENSITIVE;
import static java.util.stream.Collectors.joining;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The machine and the JVM that a run had. Texts that this platform does not tell are empty, numbers
 * {@link #UNKNOWN}.
 *
 * @param cpu the processor's model as it calls itself
 * @param microarchitecture what is inside, where the model is known: {@code Zen 4}
 * @param cores processors that the JVM may use
 * @param memoryBytes physical memory
 * @param limits what a container allows
 * @param os operating system, version, architecture
 * @param jvm the virtual machine
 */
public record Machine(
    String cpu,
    String microarchitecture,
    int cores,
    long memoryBytes,
    Limits limits,
    String os,
    Jvm jvm) {
  /** A number that is not told, or a limit that is not set. */
  public static final long UNKNOWN = -1;

  /** This machine and this JVM. */
  public static Machine here() {
    return MachineReader.read(Path.of("/"));
  }

  /**
   * What a container (cgroup) allows.
   *
   * @param cpus processors, fractions included
   * @param memoryBytes memory
   */
  public record Limits(double cpus, long memoryBytes) {
    public static final Limits NONE = new Limits(UNKNOWN, UNKNOWN);
  }

  /**
   * The virtual machine.
   *
   * @param name as it calls itself
   * @param version the Java version: {@code 25.0.3+9}
   * @param jit the best compiler in use: {@code C2}
   * @param gc the collector: {@code G1}
   * @param heapMaxBytes the heap's limit
   * @param flags what it was started with
   */
  public record Jvm(
      String name, String version, String jit, String gc, long heapMaxBytes, List<String> flags) {
    public Jvm {
      flags = List.copyOf(flags);
    }
  }

  /** What a processor's name holds besides the name: marks, its clock, its kind, its cores. */
  private static final Pattern BESIDES_THE_NAME =
      Pattern.compile("\\((?:R|TM)\\)|@.*|\\b(?:CPU|Processor|\\d+-Core)\\b", CASE_INSENSITIVE);

  /** The processor's model as people say it: {@code Intel Xeon Platinum 8259CL}. */
  public String processor() {
    String name = BESIDES_THE_NAME.matcher(cpu).replaceAll(" ").strip().replaceAll(" +", " ");
    return name.isEmpty() ? cpu : name;
  }

  /** In one line: {@code AMD EPYC (Zen 4), 2 cores · JDK 25.0.3 C2, G1}. */
  public String line() {
    List<String> parts = new ArrayList<>();
    String model = cpu.isEmpty() ? "unknown CPU" : processor();
    if (!microarchitecture.isEmpty()) model += " (" + microarchitecture + ")";
    if (cores != UNKNOWN) model += ", " + cores + (cores == 1 ? " core" : " cores");
    parts.add(model);
    if (limits.cpus() != UNKNOWN) parts.add("limited to %.1f CPUs".formatted(limits.cpus()));
    String java = jvm.version().replaceFirst("\\+.*", "");
    if (!java.isEmpty()) {
      String how =
          Stream.of(jvm.jit(), jvm.gc()).filter(word -> !word.isEmpty()).collect(joining(", "));
      parts.add("JDK %s %s".formatted(java, how).strip());
    }
    return String.join(" · ", parts);
  }
}
