package dev.ridgeline.cli.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuideTest {
  private static final Pattern PART = Pattern.compile("(?ms)^ *// begin \\w+\\n(.*?)\\n *// end$");
  private static final Pattern FENCE = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

  /** The code in the guide and the code that is compiled and run here are the same. */
  @Test
  void theGuideHoldsExactlyTheCodeThatRuns() throws IOException {
    String source = read("cli/src/test/java/dev/ridgeline/cli/guide/Engine.java");
    String guide = read("docs/profile-your-own-engine.md");
    assertThat(FENCE.matcher(guide).results().map(GuideTest::code))
        .hasSize(9)
        .containsExactlyInAnyOrderElementsOf(
            PART.matcher(source).results().map(GuideTest::code).toList());
  }

  /** So does the Java of the README and of the page about embedding. */
  @Test
  void embeddingIsShownAsItIsCompiled() throws IOException {
    String source = read("cli/src/test/java/dev/ridgeline/cli/guide/Embedding.java");
    List<String> parts = PART.matcher(source).results().map(GuideTest::code).toList();
    assertThat(parts).hasSize(2);
    assertThat(FENCE.matcher(read("README.md")).results().map(GuideTest::code))
        .contains(parts.getFirst());
    assertThat(parts.getFirst()).hasLineCount(5);
    assertThat(FENCE.matcher(read("docs/embed.md")).results().map(GuideTest::code))
        .hasSize(2)
        .last()
        .isEqualTo(parts.getLast());
  }

  /** A whole file of the page about embedding compiles as it stands there. */
  @Test
  void theFileOfThePageAboutEmbeddingCompiles(@TempDir Path folder) throws IOException {
    String page = read("docs/embed.md");
    String code = FENCE.matcher(page).results().map(GuideTest::code).findFirst().orElseThrow();
    assertThat(code).startsWith("import dev.ridgeline.model.Embedder;");
    Path file = Files.writeString(folder.resolve("Near.java"), code);
    String jars = System.getProperty("java.class.path");
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, said, said, "-cp", jars, "-d", folder.toString(), file.toString());
    assertThat(result).as(said.toString(StandardCharsets.UTF_8)).isZero();
  }

  private static String code(MatchResult part) {
    return part.group(1).stripTrailing().stripIndent().strip();
  }

  private static String read(String file) throws IOException {
    Path here = Path.of("").toAbsolutePath();
    Path root = Files.exists(here.resolve("docs")) ? here : here.getParent();
    return Files.readString(root.resolve(file));
  }

  @Test
  void theCodeOfTheGuideRecordsWhatItSays(@TempDir Path folder) throws Exception {
    Profile profile = Engine.session();
    CallTree tree = profile.tree();
    assertThat(tree.find("batch").calls()).isEqualTo(100);
    assertThat(tree.find("batch").region().tasks()).isEqualTo(200);
    assertThat(tree.find("batch", "task", "forward", "layer 3", "norm").calls()).isEqualTo(200);
    assertThat(Engine.results(profile)).contains("norm", "200 tasks on ");
    assertThat(Engine.write(profile, folder)).startsWith("my engine").contains("norm");
    assertThat(folder.resolve("report.html")).isNotEmptyFile();
    Engine.ledger();
    assertThat(Engine.device().tree().find("norm").deviceNanos()).isEqualTo(5_000);
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      assertThat(Engine.handOver(pool)).isEqualTo(19);
    }
  }
}
