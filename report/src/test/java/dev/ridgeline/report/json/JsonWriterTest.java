package dev.ridgeline.report.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.file.FileException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** Fields in their order, and what is read back. */
@Execution(CONCURRENT)
class JsonWriterTest {
  private static final Schema SCHEMA = new Schema("thing", 1, 1000);

  @TempDir private Path folder;

  private Path written() throws IOException {
    Path file = folder.resolve("thing.json");
    try (OutputStream out = Files.newOutputStream(file)) {
      JsonWriter.write(
          out,
          SCHEMA,
          json ->
              json.text("name", "é")
                  .flag("good", true)
                  .number("count", 3)
                  .real("size", 0.5)
                  .real("nothing", Double.NaN)
                  .texts("words", List.of("a", "b"))
                  .texts("plan", Map.of("k", "v"))
                  .reals("samples", 1, 2.5)
                  .object("inner", inner -> inner.text("name", "i"))
                  .objects("all", List.of(7, 8), (each, it) -> each.number("it", it)));
    }
    return file;
  }

  @Test
  void whatWasWrittenIsReadBack() throws IOException {
    JsonObject json = Json.read(written(), SCHEMA);
    assertThat(json.names())
        .containsExactly(
            "name", "good", "count", "size", "words", "plan", "samples", "inner", "all");
    assertThat(json.text("name")).isEqualTo("é");
    assertThat(json.real("nothing", 9)).isEqualTo(9);
    assertThat(json.real("size", 9)).isEqualTo(0.5);
    assertThat(json.reals("samples")).containsExactly(1, 2.5);
    assertThat(json.object("inner").text("name")).isEqualTo("i");
    assertThat(json.objects("all", each -> each.number("it", 0))).containsExactly(7L, 8L);
  }

  @Test
  void whatNothingCanBeMadeOfNamesItsFile() throws IOException {
    Path file = written();
    assertThatThrownBy(
            () ->
                Json.read(
                    file,
                    SCHEMA,
                    _ -> {
                      throw new IllegalArgumentException("too few words");
                    }))
        .isInstanceOf(FileException.class)
        .hasMessageContainingAll("thing.json", "too few words");
  }

  @Test
  void infinityIsNullWhereAReaderExpectsTheField() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    JsonWriter.write(out, json -> json.realOrNull("a", 1 / 0.0).realOrNull("b", 1));
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualToIgnoringWhitespace("{\"a\": null, \"b\": 1.0}");
  }
}
