package dev.ridgeline.cli.doctor;

import dev.ridgeline.cli.Main;
import dev.ridgeline.cli.Rehearsal;
import dev.ridgeline.cli.Setting;
import dev.ridgeline.cli.Settings;
import dev.ridgeline.cli.Terminal;
import dev.ridgeline.cli.Version;
import dev.ridgeline.cli.async.HardwareCounters;
import dev.ridgeline.cli.doctor.Check.Status;
import dev.ridgeline.lab.roofline.CeilingsStore;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.tensor.cpu.KernelChoice;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.tune.Tiling;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code doctor} command. */
@Command(
    name = "doctor",
    description = "Shows what this machine and JVM can do, measured, and what to fix.",
    sortOptions = false,
    footer = {
      "",
      "Ends with 1 when there is a problem (✗), with 0 otherwise.",
      "",
      "Examples:",
      "  ridgeline doctor             every check, with the fix of each problem",
      "  ridgeline doctor --json      the same for a program",
      "  ridgeline doctor --json | jq '.checks[\"vector.speedup\"].value'",
    })
public final class DoctorCommand implements Callable<Integer> {
  private static final Setting<Boolean> JSON = Setting.flag("--json", "Print JSON.");

  @Mixin private final Settings settings = new Settings(JSON);
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    // What was asked for wrongly is said in one line, before any other.
    KernelChoice.requireKnown();
    Tiling.here();
    Rehearsal.endsHere();
    Diagnosis diagnosis;
    if (settings.read(JSON)) {
      diagnosis = examine(_ -> {});
      out.println(DiagnosisJson.of(diagnosis));
    } else {
      var text = new DiagnosisText(out, Terminal.detect());
      out.println("ridgeline " + Version.of() + "\n");
      diagnosis = examine(text::section);
      text.summary(diagnosis);
    }
    return diagnosis.count(Status.PROBLEM) == 0 ? 0 : Main.BAD_ANSWER;
  }

  private static Diagnosis examine(Consumer<Diagnosis.Section> finished) {
    long start = System.nanoTime();
    var sections = new ArrayList<Diagnosis.Section>();
    for (Probe probe : probes()) {
      var section = Diagnosis.Section.of(probe);
      sections.add(section);
      finished.accept(section);
    }
    return new Diagnosis(List.copyOf(sections), System.nanoTime() - start);
  }

  private static List<Probe> probes() {
    var files = KernelFiles.HERE;
    var machine = Machine.here();
    return List.of(
        new JavaProbe(machine),
        new CpuProbe(machine, files),
        new MemoryProbe(machine, files),
        new VectorProbe(machine),
        new RooflineProbe(CpuFeatures.here(), CeilingsStore.usual()),
        new ClockProbe(files),
        new ScopeProbe(),
        new GpuProbe(files),
        new OptionalProbe(files, System.getenv("PATH"), HardwareCounters::refusal),
        new NoiseProbe(files));
  }
}
