package dev.ridgeline.model.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelNameTest {
  @ParameterizedTest
  @CsvSource({
    "all-minilm-l6-v2,             all-minilm-l6-v2:q8_0",
    "all-MiniLM-L6-v2:F32,         all-minilm-l6-v2:f32",
    "bge-small-en-v1.5:q4_0,       bge-small-en-v1.5:q4_0",
    "e5-small-v2:q8_0,             e5-small-v2:q8_0",
    "bge-small-zh-v1.5,            bge-small-zh-v1.5:q8_0",
    "synth:minilm-l6:q4_k,         synth:minilm-l6:q4_k",
    "synth:embeddinggemma-300m,    synth:embeddinggemma-300m:q8_0",
    "hf:acme/m/m.gguf,             hf:acme/m/m.gguf",
    "hf:acme/m.x-1/sub/m Q8.gguf,  hf:acme/m.x-1/sub/m Q8.gguf",
    "m.gguf,                       m.gguf",
    "./e5-small-v2,                ./e5-small-v2",
    "/models/any,                  /models/any",
  })
  void aNameInFullSaysEverything(String written, String full) {
    ModelName name = ModelName.of(written);
    assertThat(name).hasToString(full);
    assertThat(ModelName.of(full)).isEqualTo(name);
  }

  @Test
  void withoutATypeItIsQ8_0() {
    assertThat(ModelName.of("e5-small-v2"))
        .isEqualTo(new ModelName.Known(Catalog.find("e5-small-v2"), TensorType.Q8_0));
    assertThat(ModelName.of("x.gguf")).isEqualTo(new ModelName.OnDisk(Path.of("x.gguf")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          all-minilm-l6      | no model 'all-minilm-l6'; did you mean all-minilm-l6-v2?
          minilm             | no model 'minilm'; did you mean all-minilm-l6-v2?
          bge-small-en:f32   | no model 'bge-small-en:f32'; did you mean bge-small-en-v1.5
          e5-smal-v2         | no model 'e5-smal-v2'; did you mean e5-small-v2?
          gpt-4              | no model 'gpt-4'; known are all-minilm-l6-v2, bge-small-en-v1.5
          e5-small-v2:q8     | 'e5-small-v2:q8': no type 'q8'; there are f32, f16, q4_0
          e5-small-v2:       | 'e5-small-v2:': no type ''; there are
          e5-small-v2:q3_k_m | 'e5-small-v2:q3_k_m': q3_k_m can be read but not written; choose one of f32, f16
          e5-small-v2:i32    | 'e5-small-v2:i32': no type 'i32'
          synth:             | 'synth:': write synth:SHAPE:TYPE
          synth:../x         | 'synth:../x': write synth:SHAPE:TYPE
          synth:a:b          | 'synth:a:b': no type 'b'
          hf:acme/m.gguf     | 'hf:acme/m.gguf': write hf:OWNER/REPO/FILE.gguf
          hf:acme/m/         | 'hf:acme/m/': write hf:OWNER/REPO/FILE.gguf
          hf:acme/m/x.bin    | 'hf:acme/m/x.bin': not a .gguf file
          hf:acme/m/x-00001-of-00003.gguf | one part of a model in several files
          """)
  void aNameThatIsNoneIsOneLineWithWhatWasMeant(String written, String message) {
    assertThatThrownBy(() -> ModelName.of(written))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "hf:", "hf:/", "hf:a//b.gguf", "\0", "a\0.gguf"})
  void whatIsNothingIsRefused(String written) {
    assertThatThrownBy(() -> ModelName.of(written)).isInstanceOf(StoreException.class);
  }

  /** Names become paths in the cache: none may lead out of it. */
  @Test
  void noNameLeadsOutOfTheCache() {
    String[] parts = {"hf:", "synth:", "..", ".", "/", "a", "b.gguf", "\\", ":", "f32", "~", "%2e"};
    Cache cache = new Cache(Path.of("/cache"));
    int understood = 0;
    for (long seed = 0; seed < 20_000; seed++) {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder(random.nextBoolean() ? "hf:a/b/" : "");
      for (int i = random.nextInt(8); i >= 0; i--) text.append(parts[random.nextInt(parts.length)]);
      ModelName name;
      try {
        name = ModelName.of(text.toString());
      } catch (StoreException e) {
        assertThat(e.getMessage()).as("seed %d", seed).isNotBlank();
        continue;
      }
      if (name instanceof ModelName.OnDisk) continue;
      understood++;
      assertThat(cache.fileOf(name))
          .as("seed %d: %s", seed, text)
          .isEqualTo(cache.fileOf(name).normalize());
      assertThat(cache.fileOf(name))
          .as("seed %d: %s", seed, text)
          .startsWithRaw(Path.of("/cache/models"));
    }
    assertThat(understood).isGreaterThan(100);
  }
}
