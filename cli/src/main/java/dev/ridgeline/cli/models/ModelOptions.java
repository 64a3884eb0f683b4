package dev.ridgeline.cli.models;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.model.store.Cache;
import dev.ridgeline.model.store.Catalog;
import dev.ridgeline.model.store.Hub;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.Models;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.model.store.StoreException;
import dev.ridgeline.model.store.Use;
import dev.ridgeline.tensor.DeviceChoice;
import dev.ridgeline.tensor.DeviceProvider;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The options that all commands with models share. */
public final class ModelOptions {
  public static final Setting<Path> CACHE =
      Setting.path("--cache DIR", usualCache(), "Folder where models are kept.")
          .orEnvironment("RIDGELINE_CACHE");

  public static final Setting<String> HUB =
      Setting.text("--hub URL", Hub.ENDPOINT, "The model hub, or a mirror of it.")
          .orEnvironment("HF_ENDPOINT");

  public static final Setting<Integer> WORKERS =
      Setting.number(
          "--workers N", Runtime.getRuntime().availableProcessors(), "Number of compute threads.");

  public static final Setting<String> DEVICE =
      Setting.text(
          "--device NAME",
          DeviceChoice.CPU,
          "Device that computes; `ridgeline doctor` lists them.");

  public static final Setting<Repack> REPACK =
      Setting.choice(
          "--repack WHEN",
          Repack.class,
          Repack.YES,
          "yes copies matrices into the layout of the kernels when a model is opened; no leaves"
              + " them in the file: less memory, far slower, the same results.");

  /** Whether a model's matrices are copied. */
  public enum Repack {
    YES,
    NO
  }

  public static final Setting<String> FIELD =
      Setting.text("--field NAME", "Field of each JSON line that holds the text.");

  public static final Setting<Boolean> SKIP_EMPTY =
      Setting.flag("--skip-empty", "Skip empty texts; the others keep the index of their line.");

  /** Which model; each command has its own when none is given. */
  public static Setting<String> model(String preset) {
    return Setting.text(
        "-m, --model MODEL",
        preset,
        "A name from `ridgeline models`, with :TYPE if not q8_0, or a .gguf file.");
  }

  /** What to type for a first conversation. */
  public static final String TO_CHAT = "ridgeline chat -m " + Catalog.preset(Use.CHAT).name();

  private ModelOptions() {}

  /** What computes, with copies of matrices. */
  public static DeviceChoice device(Settings settings) {
    String name = settings.read(DEVICE);
    try {
      if (!name.equals(DeviceChoice.CPU)) DeviceProvider.named(name);
    } catch (IllegalArgumentException e) {
      throw new Problem(DEVICE.name() + ": " + e.getMessage(), e);
    }
    return new DeviceChoice(name, workers(settings), true);
  }

  /** The same, with copies of matrices where they are wanted. */
  public static DeviceChoice deviceAndRepack(Settings settings) {
    DeviceChoice device = device(settings);
    return settings.read(REPACK) == Repack.YES ? device : device.withoutRepacking();
  }

  /** How many threads compute. */
  public static int workers(Settings settings) {
    return settings.positive(WORKERS, EmbedderOptions.MOST_WORKERS);
  }

  /** Without the variable that replaces it: the help names that itself. */
  private static String usualCache() {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.remove("RIDGELINE_CACHE");
    return Cache.usualFolder(environment).toString();
  }

  public static Cache cache(Settings settings) {
    return new Cache(settings.read(CACHE));
  }

  /** The file of a model, fetched if it must be. */
  public static Path file(Settings settings, String name, Progress progress) {
    return models(settings).resolve(found(name), progress);
  }

  /** The same for a command that is for this, and refuses models that are known not to be. */
  public static Path file(Settings settings, String name, Use use, Progress progress) {
    return models(settings).resolve(found(name), use, progress);
  }

  /**
   * A model that a measurement runs.
   *
   * @param name in full
   * @param instead why this is not the model that was meant, or ""
   */
  public record Chosen(String name, Path file, String instead) {}

  /**
   * The model that was chosen; where nobody chose one and the usual one cannot be fetched, one of
   * random weights: where time goes does not depend on them.
   */
  public static Chosen chosen(
      Settings settings, Setting<String> model, String standIn, Use use, Progress progress) {
    String name = settings.read(model);
    String instead = "";
    Path file;
    try {
      file = file(settings, name, use, progress);
    } catch (StoreException e) {
      if (settings.given(model)) throw e;
      instead = "random weights: " + e.getMessage();
      name = standIn;
      file = file(settings, name, use, progress);
    }
    progress.step("loading " + name);
    return new Chosen(ModelName.of(name).toString(), file, instead);
  }

  /** A model that has to be fetched or made is found once its name is known. */
  private static ModelName found(String name) {
    ModelName model = ModelName.of(name);
    if (!(model instanceof ModelName.OnDisk)) Rehearsal.endsHere();
    return model;
  }

  public static Models models(Settings settings) {
    return Models.of(cache(settings), Hub.of(settings.read(HUB), System.getenv()));
  }
}
