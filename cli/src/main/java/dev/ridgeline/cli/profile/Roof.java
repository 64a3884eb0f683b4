package dev.ridgeline.cli.profile;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.lab.roofline.CeilingsProbe;
import dev.ridgeline.lab.roofline.CeilingsStore;
import dev.ridgeline.report.roofline.Ceilings;
import java.nio.file.Path;

/** What this machine is known to be able to do when a run is kept. */
final class Roof {
  static final Setting<Roof.From> CEILINGS =
      Setting.choice(
              "--ceilings FROM",
              From.class,
              From.FRESH,
              "Ceilings that scopes are compared with: fresh (measured once a week), kept (only if"
                  + " already measured) or none.")
          .orEnvironment("RIDGELINE_CEILINGS");

  private Roof() {}

  /** Where ceilings come from. */
  enum From {
    FRESH,
    KEPT,
    NONE
  }

  /** The file of those that are kept, or null: no program waits for them unless it is asked to. */
  static Path file(Settings settings, Progress progress) {
    From from = settings.read(CEILINGS);
    if (from == From.NONE) return null;
    if (from == From.FRESH && settings.given(CEILINGS)) of(settings, progress);
    return CeilingsStore.usual().file().orElse(null);
  }

  /** The ceilings of this machine, or none. */
  static Ceilings of(Settings settings, Progress progress) {
    Ceilings all =
        switch (settings.read(CEILINGS)) {
          case NONE -> Ceilings.NONE;
          case KEPT -> CeilingsStore.usual().kept().orElse(Ceilings.NONE);
          case FRESH -> CeilingsStore.usual().here(progress);
        };
    return CeilingsProbe.ofTier(all);
  }
}
