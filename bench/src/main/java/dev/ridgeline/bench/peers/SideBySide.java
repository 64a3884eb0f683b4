package dev.ridgeline.bench.peers;

import dev.ridgeline.bench.Options;
import dev.ridgeline.bench.Options.BadUsage;
import dev.ridgeline.bench.Results;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/**
 * Ours and the engines of others side by side: a fresh JVM for each work, in which the engines take
 * turns.
 */
public final class SideBySide {
  private static final int ROUNDS = 7;

  private final Path data;
  private final Options options;
  private final List<Work> works = new ArrayList<>();

  private SideBySide(Path data, Options options) {
    this.data = data;
    this.options = options;
    for (String word : options.rest()) works.add(work(word));
    if (works.isEmpty()) works.addAll(Work.ALL);
  }

  /** The folder of real data; then options and works, none for all of them. */
  public static void main(String[] args) {
    Options.run(
        "peers",
        () -> {
          Options options = Options.of(Arrays.copyOfRange(args, 1, args.length), ROUNDS);
          if (!new SideBySide(Path.of(args[0]), options).run()) System.exit(1);
        });
  }

  private static Work work(String name) {
    Work work = Work.of(name);
    if (work != null) return work;
    throw new BadUsage(
        "no work '%s'; there are %s"
            .formatted(name, Work.ALL.stream().map(Work::name).collect(Collectors.joining(", "))));
  }

  /** Whether all went well. */
  private boolean run() {
    try {
      return tried();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean tried() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("peers");
    List<Path> results = new ArrayList<>();
    boolean well = true;
    try {
      for (Work work : works) {
        Path result = folder.resolve(work.name());
        well &= child(work, result) == 0;
        if (Files.exists(part(result, ".json"))) results.add(result);
      }
      String heading = Results.heading(options);
      System.out.println();
      System.out.println(heading);
      System.out.print(Result.HEADER);
      for (Path result : results) System.out.print(Files.readString(part(result, ".txt")));
      Results.write(
          options, heading, "works", json -> results.forEach(result -> copy(result, json)));
    } finally {
      for (Path result : results) {
        Files.deleteIfExists(part(result, ".txt"));
        Files.deleteIfExists(part(result, ".json"));
      }
      Files.deleteIfExists(folder);
    }
    return well;
  }

  private static void copy(Path result, JsonGenerator json) {
    try {
      json.writeRawValue(Files.readString(part(result, ".json")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path part(Path result, String ending) {
    return result.resolveSibling(result.getFileName() + ending);
  }

  /** The same JVM with the same flags. */
  private int child(Work work, Path result) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    String tier = Options.forcedTier();
    if (tier != null) command.add("-D%s=%s".formatted(AssembledKernels.TIER_PROPERTY, tier));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), OneWork.class.getName()));
    String rounds = options.quick() ? "0" : "" + options.rounds();
    command.addAll(List.of(work.name(), rounds, data.toString(), result.toString()));
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }
}
