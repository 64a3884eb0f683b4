package dev.ridgeline.model.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The real artifacts, by way of the real Maven. */
@Execution(CONCURRENT)
class CatalogTest {
  @TempDir private Path folder;

  @Test
  void namesAreDifferentAndTheDefaultComesFirst() {
    assertThat(Catalog.models()).extracting(KnownModel::name).doesNotHaveDuplicates();
    assertThat(Catalog.preset(Use.EMBED).name()).isEqualTo("all-minilm-l6-v2");
    assertThat(Catalog.preset(Use.GENERATE).name()).isEqualTo("stories15m");
    assertThat(Catalog.preset(Use.CHAT).name()).isEqualTo("smollm2-360m-instruct");
  }

  @Test
  void aShapeBecomesAModelAndAnUnknownOneIsRefused() {
    Models models = Models.of(new Cache(folder), Hub.of(Map.of()));
    try (Gguf gguf =
        Gguf.open(models.resolve(ModelName.of("synth:minilm-l6:q4_0"), Progress.SILENT))) {
      assertThat(gguf.tensor("blk.0.ffn_up.weight").type()).isEqualTo(TensorType.Q4_0);
    }
    assertThatThrownBy(() -> models.resolve(ModelName.of("synth:gpt-9"), Progress.SILENT))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("no shape 'gpt-9'; there are minilm-l6");
  }

  static Stream<String> names() {
    return Catalog.models().stream()
        .filter(model -> model.use() == Use.EMBED)
        .map(KnownModel::name);
  }

  @ParameterizedTest
  @MethodSource("names")
  void aKnownModelBecomesAGgufFileThatIsWhatTheCatalogSays(String name) throws Exception {
    Models models = Models.of(new Cache(folder), Hub.of(Map.of()));
    ModelName.Known known = (ModelName.Known) ModelName.of(name);
    Path file = models.resolve(known, Progress.SILENT);
    try (Gguf gguf = Gguf.open(file)) {
      var metadata = gguf.metadata();
      assertThat(metadata.string("general.architecture")).isEqualTo("bert");
      assertThat(metadata.integer("bert.embedding_length")).isEqualTo(known.model().dimensions());
      assertThat(metadata.integer("bert.context_length")).isEqualTo(known.model().context());
      assertThat(metadata.integer("bert.pooling_type"))
          .isEqualTo(1 + known.model().embedding().pooling().ordinal());
      assertThat(gguf.tensor("blk.0.ffn_up.weight").type()).isEqualTo(known.type());
    }
    Origin.Jar jar = (Origin.Jar) known.model().origin();
    assertThat(Files.size(jar.artifact().in(localRepository()))).isEqualTo(jar.bytes());
  }

  private static Path localRepository() {
    return new Maven(System.getenv(), Path.of(System.getProperty("user.home"))).localRepository();
  }
}
