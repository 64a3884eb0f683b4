package dev.ridgeline.model.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.TensorType;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelsTest {
  private static final byte[] ONNX = "weights".repeat(1_000).getBytes();
  private static final byte[] TOKENIZER = "{}".getBytes();

  @TempDir private Path folder;
  private Path jar;
  private KnownModel model;
  private Models models;

  @BeforeEach
  void publishAModel() throws IOException {
    Artifact artifact = new Artifact("acme", "some-model", "1");
    jar = artifact.in(folder.resolve(".m2/repository"));
    Files.createDirectories(jar.getParent());
    pack(ONNX, TOKENIZER);
    model = known(artifact, digest(ONNX), digest(TOKENIZER));
    var maven = new Maven(Map.of("PATH", ""), folder);
    models =
        new Models(
            new Cache(folder.resolve("cache")),
            null,
            maven,
            new Npm(Map.of("PATH", folder.toString())),
            new Workshop() {
              @Override
              public void convert(
                  KnownModel known, Unpacking files, TensorType type, Path gguf, Progress progress)
                  throws IOException {
                assertThat(files.weights()).hasBinaryContent(ONNX);
                assertThat(files.tokenizer()).hasBinaryContent(TOKENIZER);
                Files.writeString(gguf, "GGUF " + known.name() + " " + type);
              }

              @Override
              public void synthesize(SynthShape shape, TensorType type, Path gguf)
                  throws IOException {
                Files.writeString(gguf, "GGUF " + shape.word() + " " + type);
              }
            });
  }

  private static KnownModel known(Artifact artifact, String onnx, String tokenizer) {
    return new KnownModel(
        "m",
        "M",
        new Origin.Jar(artifact, 1, onnx, tokenizer),
        Use.EMBED,
        new KnownModel.Embedding(Pooling.MEAN, "", ""),
        8,
        16,
        "MIT");
  }

  private String digest(byte[] content) throws IOException {
    return Sha256.of(Files.write(folder.resolve("x"), content), Progress.SILENT);
  }

  private void pack(byte[] onnx, byte[] tokenizer) throws IOException {
    try (var zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry("m.onnx"));
      zip.write(onnx);
      if (tokenizer == null) return;
      zip.putNextEntry(new ZipEntry("m-tokenizer.json"));
      zip.write(tokenizer);
    }
  }

  private ModelName name() {
    return new ModelName.Known(model, ModelName.USUAL_TYPE);
  }

  private Path resolve() {
    return models.resolve(name(), Progress.SILENT);
  }

  @Test
  void aKnownModelIsConvertedOnce() throws IOException {
    assertThat(models.has(name())).isFalse();
    assertThat(resolve()).hasContent("GGUF m Q8_0");
    Files.delete(jar);
    assertThat(resolve()).hasContent("GGUF m Q8_0");
    assertThat(models.has(name())).isTrue();
    assertThat(folder.resolve("cache/work")).doesNotExist();
  }

  @Test
  void aModelWithAnotherDigestIsRefused() throws IOException {
    byte[] other = ONNX.clone();
    other[5000]++;
    pack(other, TOKENIZER);
    refused("m.onnx in it has another SHA-256");
  }

  @Test
  void aJarWithoutTheFilesIsRefused() throws IOException {
    pack(ONNX, null);
    refused("there is no m-tokenizer.json in it");
  }

  @Test
  void aTruncatedJarIsRefused() throws IOException {
    try (var file = new RandomAccessFile(jar.toFile(), "rw")) {
      file.setLength(file.length() / 2);
    }
    refused("");
    Files.write(jar, new byte[0]);
    refused("");
  }

  private void refused(String reason) {
    assertThatThrownBy(this::resolve)
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith(jar + ": is damaged (")
        .hasMessageContaining(reason)
        .hasMessageEndingWith("delete it and try again");
    assertThat(models.cache().entries()).isEmpty();
  }

  @Test
  void aSynthesizedModelIsKept() {
    ModelName name = ModelName.of("synth:minilm-l6:f32");
    assertThat(models.resolve(name, Progress.SILENT)).hasContent("GGUF minilm-l6 F32");
    assertThat(models.has(name)).isTrue();
  }

  @Test
  void aModelForSomethingElseIsNotFetched() {
    for (String name :
        List.of("all-minilm-l6-v2", "synth:bge-base", "synth:qwen3-embedding-tiny")) {
      assertThatThrownBy(() -> models.resolve(ModelName.of(name), Use.GENERATE, Progress.SILENT))
          .isInstanceOf(StoreException.class)
          .hasMessage(name + ":q8_0 makes embeddings, not text: use embed");
    }
    assertThatThrownBy(() -> models.resolve(ModelName.of("stories15m"), Use.EMBED, Progress.SILENT))
        .hasMessage("stories15m:q8_0 makes text, not embeddings: use generate");
    assertThat(models.cache().entries()).isEmpty();
    ModelName fitting = ModelName.of("synth:minilm-l6:f32");
    assertThat(models.resolve(fitting, Use.EMBED, Progress.SILENT)).exists();
  }

  @Test
  void aFileIsTakenAsItIs() throws IOException {
    Path file = Files.writeString(folder.resolve("a.gguf"), "GGUF");
    assertThat(models.resolve(ModelName.of(file.toString()), Progress.SILENT)).isEqualTo(file);
    assertThatThrownBy(() -> models.resolve(ModelName.of("/no/x.gguf"), Progress.SILENT))
        .hasMessage("/no/x.gguf: no such file");
    assertThatThrownBy(() -> models.resolve(ModelName.of(folder + "/"), Progress.SILENT))
        .hasMessageEndingWith("is a folder; name the .gguf file in it");
    assertThat(models.cache().entries()).isEmpty();
  }
}
