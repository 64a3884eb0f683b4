package dev.ridgeline.cli.doctor;

import dev.ridgeline.cli.async.HardwareCounters;
import dev.ridgeline.cli.doctor.Check.Status;
import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Subcommand;
import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.cli.line.Version;
import dev.ridgeline.lab.roofline.CeilingsStore;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.tensor.cpu.KernelChoice;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.tune.Tiling;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Command;

/** The {@code doctor} command. */
@Command(
    name = "doctor",
    description = "Shows what this machine and JVM can do, measured, and what to fix.",
    footer = {
      "  ridgeline doctor             every check, with the fix of each problem",
      "  ridgeline doctor --json      the same for a program",
      "  ridgeline doctor --json | jq '.checks[\"vector.speedup\"].value'",
      "",
      "Exit code 1: there is a problem (✗).",
    })
public final class DoctorCommand extends Subcommand {
  private static final Setting<Boolean> JSON = Setting.flag("--json", "Print JSON.");

  public DoctorCommand() {
    super(JSON);
  }

  @Override
  public Integer call() {
    PrintWriter out = out();
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
    return diagnosis.count(Status.PROBLEM) == 0 ? 0 : ExitCode.BAD_ANSWER;
  }

  private static Diagnosis examine(Consumer<Diagnosis.Section> finished) {
    long start = System.nanoTime();
    var sections = new ArrayList<Diagnosis.Section>();
    for (var probe : probes().entrySet()) {
      var section = Diagnosis.Section.of(probe.getKey(), probe.getValue());
      sections.add(section);
      finished.accept(section);
    }
    return new Diagnosis(List.copyOf(sections), System.nanoTime() - start);
  }

  /** By topic: the section's heading, and the first part of its checks' keys. */
  private static Map<String, Probe> probes() {
    var files = KernelFiles.HERE;
    var machine = Machine.here();
    Map<String, Probe> probes = new LinkedHashMap<>();
    probes.put("java", new JavaProbe(machine));
    probes.put("cpu", new CpuProbe(machine, files));
    probes.put("memory", new MemoryProbe(machine, files));
    probes.put("vector", new VectorProbe(machine));
    probes.put("roofline", new RooflineProbe(CpuFeatures.here(), CeilingsStore.usual()));
    probes.put("clock", new ClockProbe(files));
    probes.put("scope", new ScopeProbe());
    probes.put("gpu", new GpuProbe(files));
    probes.put(
        "optional", new OptionalProbe(files, System.getenv("PATH"), HardwareCounters::refusal));
    probes.put("noise", new NoiseProbe(files));
    return probes;
  }
}
