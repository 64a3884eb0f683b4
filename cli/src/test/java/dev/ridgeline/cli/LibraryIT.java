package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.cli.guide.Consumer;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** The jars in a program of somebody else, who knows of no option. */
@Execution(CONCURRENT)
class LibraryIT {
  /** What Java says of whoever calls native code without being allowed to beforehand. */
  private static final String ONE_WARNING =
      """
      WARNING: A restricted method in java\\.lang\\.foreign\\..* has been called
      WARNING: .* has been called by dev\\.ridgeline\\.tensor\\..*
      WARNING: Use --enable-native-access=(ALL-UNNAMED|dev\\.ridgeline\\.tensor) to avoid .*
      WARNING: Restricted methods will be blocked in a future release .*

      """;

  @TempDir private Path folder;

  @Test
  void onTheClassPathItNeedsNoOption() throws IOException {
    sameWithAndWithoutOptions(
        List.of("-cp", jars() + File.pathSeparator + tests()),
        "--enable-native-access=ALL-UNNAMED");
  }

  @Test
  void onTheModulePathItNeedsNoOption() throws IOException {
    sameWithAndWithoutOptions(
        List.of("-p", jars(), "--add-modules", "dev.ridgeline.model", "-cp", tests()),
        "--enable-native-access=dev.ridgeline.tensor");
  }

  @Test
  void whereNativeAccessIsDeniedItAsksForIt() throws IOException {
    Path model = TinyModel.bert(folder.resolve("tiny.gguf"), Map.of());
    Outcome outcome =
        java(
            List.of("-cp", jars() + File.pathSeparator + tests()),
            List.of("--illegal-native-access=deny"),
            model);
    assertThat(outcome.err())
        .contains("denies native access: start java with --enable-native-access=ALL-UNNAMED");
    assertThat(outcome.code()).isNotZero();
  }

  /** The examples of the README as they stand there, with models that are small and here. */
  @Test
  void theCommandOfTheReadmeRunsWithFastKernelsAndWithoutAWarning() throws IOException {
    assumeTrue(AssembledKernels.obstacle(CpuFeatures.here()) == null, "nothing is assembled here");
    Path root = FakeMachine.launcher().getParent();
    String readme = Files.readString(root.resolve("README.md"));
    Files.createSymbolicLink(folder.resolve("cli"), root.resolve("cli"));
    Path encoder = TinyModel.bert(folder.resolve("tiny.gguf"), Map.of(), TensorType.Q8_0);
    Path decoder = TinyDecoder.write(folder.resolve("decoder.gguf"));
    example(readme, "model.Embedder", "all-minilm-l6-v2", encoder);
    example(readme, "model.generate.Generator", "stories15m", decoder);
    Files.delete(folder.resolve("cli"));
  }

  private void example(String readme, String type, String name, Path model) throws IOException {
    String open = type.replaceFirst(".*\\.", "") + ".open(\"" + name + "\")";
    String command = found("(?m)^java .* Near\\.java$", readme);
    String code =
        found("(?<=```java\n)try \\(\\w+ \\w+ = %s[^`]*".formatted(Pattern.quote(open)), readme);
    assertThat(readme).contains("`import dev.ridgeline.%s;`".formatted(type));
    Files.writeString(
        folder.resolve("Near.java"),
        """
        import dev.ridgeline.%s;
        void main() {
        %s
          System.out.println(dev.ridgeline.tensor.cpu.KernelChoice.made().slow());
        }
        """
            .formatted(type, code.replace(name, model.toString())));
    Path bin = Path.of(System.getProperty("java.home"), "bin");
    Map<String, String> environment = undisturbed();
    environment.put("PATH", bin + File.pathSeparator + System.getenv("PATH"));
    Outcome outcome = Outcome.ofShell(folder, environment, command);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).endsWith("false\n");
  }

  private static String found(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(pattern).isTrue();
    return matcher.group();
  }

  private void sameWithAndWithoutOptions(List<String> path, String allowed) throws IOException {
    Path model = TinyModel.bert(folder.resolve("tiny.gguf"), Map.of(), TensorType.Q8_0);
    Outcome bare = java(path, List.of(), model);
    assertThat(bare.code()).as(bare.err()).isZero();
    Outcome silent = java(path, List.of(allowed), model);
    Outcome vectors = java(path, List.of(allowed, "--add-modules", "jdk.incubator.vector"), model);
    assertThat(vectors.err()).isEqualTo("WARNING: Using incubator modules: jdk.incubator.vector\n");
    assertThat(silent.out()).isEqualTo(bare.out());
    float[] mine = vector(bare);
    float[] theirs = vector(vectors);
    assertThat(mine).hasSize(TinyModel.WIDTH).hasSameSizeAs(theirs);
    for (int i = 0; i < mine.length; i++) assertThat(mine[i]).isCloseTo(theirs[i], within(1e-5f));
    assumeTrue(AssembledKernels.obstacle(CpuFeatures.here()) == null, "nothing is assembled here");
    assertThat(kernels(bare)).contains("assembled (").endsWith("else scalar");
    assertThat(kernels(vectors)).contains("assembled (", "else vector");
    assertThat(bare.err()).matches(ONE_WARNING);
    assertThat(silent.err()).isEmpty();
  }

  private static float[] vector(Outcome outcome) {
    String[] numbers = outcome.out().lines().findFirst().orElseThrow().split("[\\[\\], ]+");
    float[] vector = new float[numbers.length - 1];
    for (int i = 0; i < vector.length; i++) vector[i] = Float.parseFloat(numbers[i + 1]);
    return vector;
  }

  private static String kernels(Outcome outcome) {
    return outcome.out().lines().toList().getLast();
  }

  private Outcome java(List<String> path, List<String> options, Path model) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(path);
    command.addAll(options);
    command.addAll(List.of(Consumer.class.getName(), model.toString(), "a text"));
    return Outcome.of(folder, undisturbed(), command);
  }

  private static Map<String, String> undisturbed() {
    Map<String, String> environment = new HashMap<>();
    for (String name : Arrays.asList("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")) {
      environment.put(name, null);
    }
    return environment;
  }

  /** What docs/embed.md names. */
  private static String jars() throws IOException {
    try (var files = Files.list(FakeMachine.launcher().resolveSibling("cli/target/lib"))) {
      return files
          .map(Path::toString)
          .filter(name -> name.matches(".*/(ridgeline-(model|tensor|profiler)|jackson-core)-.*"))
          .collect(Collectors.joining(File.pathSeparator));
    }
  }

  private static String tests() {
    return FakeMachine.launcher().resolveSibling("cli/target/test-classes").toString();
  }
}
