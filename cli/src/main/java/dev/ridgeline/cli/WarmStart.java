package dev.ridgeline.cli;

import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.report.run.Runs;
import dev.ridgeline.tensor.TensorType;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/**
 * The training run of the AOT cache: loads what the commands load, so that later starts need not.
 * The launcher runs it after a build; it prints nothing.
 */
@Command(name = "warm-start", hidden = true)
final class WarmStart implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    JsonMapper.shared().readTree("{\"a\":[1,2.5,null,true]}").toPrettyString();
    for (Path jar : ownJars()) load(jar);
    embed();
    var quiet = new PrintWriter(OutputStream.nullOutputStream());
    profile(quiet);
    for (String command : spec.parent().subcommands().keySet()) {
      Main.run(line(quiet), command, "--help");
    }
    Main.run(line(quiet), "--help");
    return Main.run(line(quiet), "--version");
  }

  /** What opening a model and its first text load, most of it of the JDK. */
  private static void embed() throws IOException {
    Path model = Files.createTempFile("warm-start", ".gguf");
    try {
      SynthModel.write(
          SynthShape.EMBEDDINGGEMMA_TINY, TensorType.Q8_0, SynthModel.SEED, model, _ -> {});
      try (Embedder embedder = Embedder.open(model)) {
        embedder.embed("a text");
      }
    } catch (RuntimeException e) {
      // A slower start of some commands is no reason to have none.
    } finally {
      Files.deleteIfExists(model);
    }
  }

  /** What a profile and its report load: experiments start many short ones. */
  private static void profile(PrintWriter quiet) throws IOException {
    Path runs = Files.createTempDirectory("warm-start");
    try {
      String words = "profile op matmul --shape 64x64x64 --type f32 --for 0.02 --ceilings kept";
      List<String> typed = new ArrayList<>(List.of(words.split(" ")));
      typed.addAll(List.of("--runs", runs.toString()));
      Main.run(line(quiet), typed.toArray(String[]::new));
    } finally {
      Runs.delete(runs);
    }
  }

  private static CommandLine line(PrintWriter out) {
    return Main.commandLine(Terminal.detect()).setOut(out);
  }

  /** The jars of this project; a folder of classes cannot be in an AOT cache. */
  private static List<Path> ownJars() throws IOException {
    Path main = Path.of(System.getProperty("java.class.path")).toAbsolutePath();
    Path library = main.resolveSibling("lib");
    if (!Files.isDirectory(library)) return List.of();
    try (var jars = Files.list(library)) {
      return Stream.concat(
              Stream.of(main),
              jars.filter(j -> j.getFileName().toString().startsWith("ridgeline-")))
          .toList();
    }
  }

  private static void load(Path jar) throws IOException {
    try (var file = new JarFile(jar.toFile())) {
      file.stream()
          .map(entry -> entry.getName())
          .filter(name -> name.endsWith(".class") && !name.contains("-info"))
          .forEach(name -> load(name.substring(0, name.length() - 6).replace('/', '.')));
    }
  }

  private static void load(String name) {
    try {
      Class.forName(name, false, WarmStart.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      // One class less in the cache is no reason to have none.
    }
  }
}
