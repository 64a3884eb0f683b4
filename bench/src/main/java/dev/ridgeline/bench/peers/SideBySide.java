package dev.ridgeline.bench.peers;

import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.run.Machine;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/**
 * Ours and the engines of others side by side: a fresh JVM for each work, in which the engines take
 * turns.
 */
public final class SideBySide {
  private static final int ROUNDS = 7;

  private final List<Work> works = new ArrayList<>();
  private final Path data;
  private boolean quick;
  private int rounds = ROUNDS;
  private Path json;

  private SideBySide(Path data) {
    this.data = data;
  }

  /** What the user must mend. */
  private static final class BadUsage extends Exception {
    BadUsage(String message) {
      super(message);
    }
  }

  /** The folder of real data; then options and works, none for all of them. */
  public static void main(String[] args) throws IOException, InterruptedException {
    SideBySide runs = new SideBySide(Path.of(args[0]));
    try {
      runs.read(List.of(args).subList(1, args.length));
    } catch (BadUsage e) {
      System.err.println("peers: " + e.getMessage());
      System.exit(2);
    }
    if (!runs.run()) System.exit(1);
  }

  private void read(List<String> args) throws BadUsage {
    for (int i = 0; i < args.size(); i++) {
      String word = args.get(i);
      switch (word) {
        case "--quick" -> quick = true;
        case "--rounds", "--json" -> {
          if (++i == args.size()) throw new BadUsage(word + " needs a value");
          if (word.equals("--json")) json = Path.of(args.get(i)).toAbsolutePath();
          else rounds = rounds(args.get(i));
        }
        default -> works.add(work(word));
      }
    }
    if (json != null && !Files.isDirectory(json.getParent())) {
      throw new BadUsage(json.getParent() + ": no such folder");
    }
    if (works.isEmpty()) works.addAll(Work.ALL);
  }

  private static int rounds(String word) throws BadUsage {
    if (word.matches("[1-9]\\d{0,2}")) return Integer.parseInt(word);
    throw new BadUsage("--rounds %s: a number from 1 to 999".formatted(word));
  }

  private static Work work(String name) throws BadUsage {
    Work work = Work.of(name);
    if (work != null) return work;
    throw new BadUsage(
        "no work '%s'; there are %s"
            .formatted(name, Work.ALL.stream().map(Work::name).collect(Collectors.joining(", "))));
  }

  /** Whether all went well. */
  private boolean run() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("peers");
    List<Path> results = new ArrayList<>();
    boolean well = true;
    try {
      for (Work work : works) {
        Path result = folder.resolve(work.name());
        well &= child(work, result) == 0;
        if (Files.exists(part(result, ".json"))) results.add(result);
      }
      System.out.println();
      System.out.println(heading());
      System.out.print(Result.HEADER);
      for (Path result : results) System.out.print(Files.readString(part(result, ".txt")));
      if (json != null) write(results);
    } finally {
      for (Path result : results) {
        Files.deleteIfExists(part(result, ".txt"));
        Files.deleteIfExists(part(result, ".json"));
      }
      Files.deleteIfExists(folder);
    }
    return well;
  }

  private static Path part(Path result, String ending) {
    return result.resolveSibling(result.getFileName() + ending);
  }

  /** The same JVM with the same flags. */
  private int child(Work work, Path result) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), OneWork.class.getName()));
    command.addAll(
        List.of(work.name(), quick ? "0" : "" + rounds, data.toString(), result.toString()));
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  private String heading() {
    return "%s · %s · median (range) of %s"
        .formatted(
            Machine.here().line(),
            Instant.now().truncatedTo(ChronoUnit.MINUTES),
            quick ? "a quick trial: the figures mean nothing" : rounds + " rounds");
  }

  private void write(List<Path> results) throws IOException {
    Path part = json.resolveSibling(json.getFileName() + ".part");
    try (OutputStream out = Files.newOutputStream(part);
        JsonGenerator to = Json.indented(out)) {
      to.writeStartObject();
      to.writeStringProperty("heading", heading());
      to.writeBooleanProperty("quick", quick);
      to.writeArrayPropertyStart("works");
      for (Path result : results) to.writeRawValue(Files.readString(part(result, ".json")));
      to.writeEndArray();
      to.writeEndObject();
    }
    Files.move(part, json, StandardCopyOption.REPLACE_EXISTING);
  }
}
