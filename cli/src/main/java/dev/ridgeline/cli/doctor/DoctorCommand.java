package dev.ridgeline.cli.doctor;

import dev.ridgeline.cli.Setting;
import dev.ridgeline.cli.Settings;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code doctor} command. */
@Command(
    name = "doctor",
    description = "Shows what this machine and JVM can do, measured, and what to mend.",
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  ridgeline doctor             every check, with the fix of each problem",
      "  ridgeline doctor --json      the same for a program",
    })
public final class DoctorCommand implements Callable<Integer> {
  private static final Setting<Boolean> JSON = Setting.flag("--json", "Print JSON.");

  @Mixin private final Settings settings = new Settings(JSON);
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().getOut().println(settings.read(JSON) ? "{}" : "doctor");
    return 0;
  }
}
