package dev.ridgeline.cli.line;

import dev.ridgeline.profiler.file.OneLine;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What every command has: its settings, where it prints, and one style of help. */
@Command(sortOptions = false, footerHeading = "%nExamples:%n")
public abstract class Subcommand implements Callable<Integer> {
  @Mixin protected final Settings settings;
  @Spec protected CommandSpec spec;

  protected Subcommand(Settings settings) {
    this.settings = settings;
  }

  protected Subcommand(Setting<?>... settings) {
    this(new Settings(settings));
  }

  /** With settings that other commands have as well, and some of its own. */
  protected Subcommand(List<Setting<?>> shared, Setting<?>... own) {
    this(Settings.with(shared, own).toArray(Setting[]::new));
  }

  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Tells the user something, in a line on standard error. */
  protected final void tell(String line) {
    err().println("ridgeline: " + OneLine.of(line));
    err().flush();
  }

  /** Calls out options that were typed and had no effect. */
  protected final void tellOfUnread() {
    for (String option : settings.givenButNeverRead()) tell(option + " has no effect here");
  }

  /** Where the command is: drawn on a terminal; elsewhere only what the user should know. */
  protected final Progress progress() {
    return progress(false);
  }

  /** The same, or nothing at all. */
  protected final Progress progress(boolean quiet) {
    return quiet ? Progress.silent() : Progress.of(err());
  }
}
