package dev.ridgeline.cli.inspect;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.lab.jit.CompileLog;
import dev.ridgeline.lab.jit.CompiledMethod;
import dev.ridgeline.lab.jit.LineDifference;
import dev.ridgeline.lab.jit.Listing;
import dev.ridgeline.lab.process.Program;
import dev.ridgeline.profiler.file.Interruption;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The machine code that the JIT made of methods while a command ran: a table, or one of them. */
final class JitCode {
  private static final String KERNELS = "dev.ridgeline.tensor.kernel.vector.";

  /** What the second compiler made, whole methods before those of running loops. */
  private static final Comparator<Listing> BEST_FIRST =
      Comparator.comparing(Listing::compiler, Comparator.reverseOrder())
          .thenComparing(listing -> listing.title().contains(" "))
          .thenComparing(Listing::bytes, Comparator.reverseOrder());

  private static final Pattern NOTICE = Pattern.compile("WARNING: |Picked up |NOTE: ");

  private final String asked;
  private final String pattern;
  private final List<String> command;
  private final PrintWriter out;

  /**
   * @param asked {@code Class}, {@code Class::method} or {@code all}; without a package it is one
   *     of the vector kernels, unless the command is a Java program
   * @param command a workload of {@code profile}, or {@code java …}
   */
  JitCode(String asked, List<String> command, PrintWriter out) {
    if (!asked.matches("[\\w.$*/]+(::[\\w.$*<>]+)?")) {
      throw new Problem("--jit %s: not a class, nor a Class::method".formatted(asked));
    }
    if (command.isEmpty()) {
      throw new Problem(
          "--jit: say what runs the method: ridgeline inspect --jit %s -- op gelu"
              .formatted(asked));
    }
    this.asked = asked;
    String method = asked.equals("all") ? "*" : asked;
    if (!method.contains(".") && !isJava(command)) method = KERNELS + method;
    this.pattern = method.contains("::") ? method : method + "::*";
    this.command = command;
    this.out = out;
  }

  private static boolean isJava(List<String> command) {
    return Path.of(command.getFirst()).endsWith("java");
  }

  /** Prints what one run compiled. */
  void print(boolean json) {
    List<Listing> listings = run(List.of());
    if (json) {
      out.println(json(listings));
      return;
    }
    out.println(
        "  method                                    by    bytes  instructions  512-bit  256-bit"
            + "  128-bit  calls");
    for (Listing each : listings) {
      Listing.Counts counts = each.counts();
      out.printf(
          "  %-40s  %s  %,7d  %,12d  %,7d  %,7d  %,7d  %,5d%n",
          each.title(),
          each.compiler(),
          each.bytes(),
          counts.instructions(),
          counts.bits512(),
          counts.bits256(),
          counts.bits128(),
          counts.calls());
    }
    out.println();
    Listing first = listings.getFirst();
    if (pattern.endsWith("*")) {
      out.printf(
          "instructions of one: ridgeline inspect --jit %s -- %s%n",
          first.title().split(" ")[0], String.join(" ", command));
    } else {
      out.println(first.title() + ":");
      first.lines().forEach(out::println);
    }
  }

  /** Prints how a second run's code, with these flags of the JVM, differs from the first's. */
  void compare(List<String> flags) {
    Map<String, Listing> before = byTitle(run(List.of()));
    Map<String, Listing> after = byTitle(run(flags));
    Set<String> titles = new TreeSet<>(before.keySet());
    titles.addAll(after.keySet());
    out.printf("A: as it is; B: %s%n%n", flags.isEmpty() ? "again" : String.join(" ", flags));
    out.println(
        "  method                                   A: instructions  calls  B: instructions "
            + " calls");
    List<String> changes = new ArrayList<>();
    for (String title : titles) {
      Listing a = before.get(title);
      Listing b = after.get(title);
      List<String> difference =
          a == null || b == null ? List.of() : LineDifference.of(a.lines(), b.lines());
      boolean same = a != null && b != null && difference.isEmpty();
      out.printf("  %-40s %s  %s%s%n", title, cells(a), cells(b), same ? "  the same" : "");
      if (difference.isEmpty()) continue;
      changes.add("");
      changes.add(title + ": - is A, + is B");
      changes.addAll(difference);
    }
    changes.forEach(out::println);
  }

  private static String cells(Listing listing) {
    if (listing == null) return "%15s  %5s".formatted("–", "–");
    Listing.Counts counts = listing.counts();
    return "%,15d  %,5d".formatted(counts.instructions(), counts.calls());
  }

  private static Map<String, Listing> byTitle(List<Listing> listings) {
    Map<String, Listing> map = new LinkedHashMap<>();
    for (Listing each : listings) map.put(each.title(), each);
    return map;
  }

  private List<Listing> run(List<String> flags) {
    try {
      Path folder = Files.createTempDirectory("ridgeline-jit");
      try (var _ = Interruption.tidies(() -> delete(folder))) {
        List<CompiledMethod> methods = start(folder, flags);
        List<Listing> listings = new ArrayList<>();
        for (CompiledMethod method : methods) {
          Listing listing = Listing.of(method);
          if (listing == null) {
            throw new Problem("--jit: needs objdump (package binutils) to read machine code");
          }
          listings.add(listing);
        }
        listings.sort(BEST_FIRST);
        return listings;
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw new Problem("--jit: " + e.getMessage(), e);
    }
  }

  private List<CompiledMethod> start(Path folder, List<String> flags) throws IOException {
    List<String> words = new ArrayList<>();
    List<String> options = new ArrayList<>();
    if (isJava(command)) {
      words.addAll(command);
    } else {
      if (pattern.startsWith(KERNELS)) options.add("-Dridgeline.kernels=vector");
      words.addAll(Program.here().withoutCache().command(workload(folder)));
    }
    options.addAll(
        List.of(
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=print," + pattern,
            "-XX:+LogVMOutput",
            "-XX:-DisplayVMOutput",
            "-XX:LogFile=" + folder.resolve("%p.log")));
    options.addAll(flags);
    var builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().merge("JAVA_TOOL_OPTIONS", String.join(" ", options), "%s %s"::formatted);
    Process process = builder.start();
    try (var _ = Interruption.tidies(process::destroyForcibly)) {
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      List<Path> logs;
      try (var files = Files.list(folder)) {
        logs = files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
      }
      List<CompiledMethod> methods = new ArrayList<>();
      for (Path log : logs) methods.addAll(CompileLog.methods(Files.readAllLines(log)));
      if (!methods.isEmpty()) return methods;
      if (code == 0) {
        throw new Problem(
            "--jit %s: nothing of it was compiled: is it run, and long enough?".formatted(asked));
      }
      throw new Problem("--jit: the command ended with code %d: %s".formatted(code, reason(said)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem("--jit: was interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** The first line that a command printed, but for what a JVM says of its options. */
  private static String reason(String said) {
    return said.lines()
        .filter(line -> !line.isBlank() && !NOTICE.matcher(line).lookingAt())
        .findFirst()
        .orElse("it printed nothing");
  }

  /** The workload, long enough for the second compiler and no longer. */
  private List<String> workload(Path folder) {
    List<String> words = new ArrayList<>(List.of("profile"));
    words.addAll(command);
    if (!command.contains("--iterations") && !command.contains("--for")) {
      words.addAll(List.of("--for", "1", "--warm-up", "3"));
    }
    words.addAll(List.of("--ceilings", "none", "--quiet", "--runs", folder.toString()));
    return words;
  }

  private static String json(List<Listing> listings) {
    ObjectNode root = JsonMapper.shared().createObjectNode();
    root.put("schema", "ridgeline.jit").put("version", 1);
    ArrayNode array = root.putArray("methods");
    for (Listing each : listings) {
      ObjectNode entry =
          array.addObject().put("method", each.title()).put("compiler", each.compiler());
      entry.put("bytes", each.bytes());
      entry.putPOJO("counts", each.counts());
      entry.put("code", each.lines().stream().collect(Collectors.joining("\n")));
    }
    return root.toPrettyString();
  }

  private static void delete(Path folder) {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    } catch (IOException _) {
      // A temporary folder; the system removes what is left.
    }
  }
}
