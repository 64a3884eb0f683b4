package dev.ridgeline.cli.models;

import dev.ridgeline.cli.Setting;
import dev.ridgeline.cli.Settings;
import dev.ridgeline.model.store.Cache;
import dev.ridgeline.model.store.Hub;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.Models;
import dev.ridgeline.model.store.Progress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The options that all commands with models share. */
public final class ModelOptions {
  public static final Setting<Path> CACHE =
      Setting.path("--cache", "DIR", usualCache(), "Folder where models are kept.")
          .orEnvironment("RIDGELINE_CACHE");

  public static final Setting<String> HUB =
      Setting.text("--hub", "URL", Hub.ENDPOINT, "The model hub, or a mirror of it.")
          .orEnvironment("HF_ENDPOINT");

  private ModelOptions() {}

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
    return models(settings).resolve(ModelName.of(name), progress);
  }

  public static Models models(Settings settings) {
    return Models.of(cache(settings), Hub.of(settings.read(HUB), System.getenv()));
  }
}
