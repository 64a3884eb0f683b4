package dev.ridgeline.bench;

import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.Models;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.Device;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How long a fresh process takes until a model is open, and until it has embedded its first text:
 * as a library with and without options, and by the command line, in turns.
 */
public final class Starts {
  private static final List<String> ALLOWED = List.of("--enable-native-access=ALL-UNNAMED");
  private static final List<String> VECTORS =
      List.of("--enable-native-access=ALL-UNNAMED", "--add-modules", "jdk.incubator.vector");

  private Starts() {}

  /** A way to start, and the milliseconds of each start until each moment. */
  private record Way(String name, List<String> command, List<double[]> times) {
    Way(String name, List<String> command) {
      this(name, command, new ArrayList<>());
    }

    static Way library(String name, List<String> options, Path model) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(options);
      // The jars of a user of the library, and not those of all peers.
      String jars =
          Stream.of(Embedder.class, Device.class, Profiler.class, FirstText.class)
              .map(Way::jar)
              .collect(Collectors.joining(File.pathSeparator));
      command.addAll(List.of("-cp", jars));
      command.addAll(List.of(FirstText.class.getName(), model.toString()));
      return new Way(name, command);
    }

    private static String jar(Class<?> type) {
      return Path.of(
              URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()))
          .toString();
    }

    void start() throws IOException, InterruptedException {
      long begun = FirstText.now();
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      long ended = FirstText.now();
      if (process.waitFor() != 0) throw new IOException(String.join(" ", command) + " failed");
      // A command says nothing of its inner moments.
      long[] moments =
          said.matches("[\\d ]+\\s")
              ? Stream.of(said.strip().split(" ")).mapToLong(Long::parseLong).toArray()
              : new long[] {ended};
      times.add(Arrays.stream(moments).mapToDouble(at -> (at - begun) / 1e3).toArray());
    }

    double median(int moment) {
      double[] sorted = times.stream().mapToDouble(each -> each[moment]).sorted().toArray();
      return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    @Override
    public String toString() {
      if (times.getFirst().length == 1) {
        return "%-24s first text after %.0f ms, and ended".formatted(name, median(0));
      }
      return "%-24s ready after %.0f ms, first text after %.0f, second after %.0f"
          .formatted(name, median(0), median(1), median(2));
    }
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 10;
    String name = args.length > 2 ? args[2] : "all-minilm-l6-v2";
    Path model = Models.here().resolve(ModelName.of(name), Progress.SILENT);
    List<Way> ways =
        List.of(
            Way.library("library, no option", List.of(), model),
            Way.library("library, native access", ALLOWED, model),
            Way.library("library, Vector API", VECTORS, model),
            new Way("ridgeline embed", List.of(args[0], "embed", "-m", name, "a text")));
    for (int round = -1; round < rounds; round++) {
      for (Way way : ways) {
        way.start();
        if (round < 0) way.times.clear(); // files come into the caches
      }
    }
    System.out.printf("%s, medians of %d starts each, in turns%n", name, rounds);
    for (Way way : ways) System.out.println(way);
  }
}
