package dev.ridgeline.cli.profile;

import dev.ridgeline.report.roofline.Ceilings;

/** What this machine is known to be able to do when a run is kept. */
final class Roof {
  private Roof() {}

  /** The ceilings of this machine, or none where they were not measured. */
  static Ceilings here() {
    return Ceilings.NONE;
  }
}
