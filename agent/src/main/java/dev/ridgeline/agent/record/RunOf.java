package dev.ridgeline.agent.record;

import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.file.CeilingsJson;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@code run.json} says of a program that was recorded from outside. */
final class RunOf {
  private RunOf() {}

  static Run finished(
      Program program, AgentOptions options, Instant started, Profile profile, Notes notes) {
    return of(program, options, started, profile, notes, program.word(), Map.of());
  }

  /** A copy in passing: what remains when the program is killed. */
  static Run unfinished(
      Program program, AgentOptions options, Instant started, Profile profile, Notes notes) {
    String title =
        "%s, up to %.0f s: it was killed or halted"
            .formatted(program.word(), profile.wallNanos() / 1e9);
    Map<String, String> ended = Map.of("ended", "killed or halted");
    return of(program, options, started, profile, notes, title, ended);
  }

  private static Run of(
      Program program,
      AgentOptions options,
      Instant started,
      Profile profile,
      Notes notes,
      String title,
      Map<String, String> end) {
    Map<String, String> workload = new LinkedHashMap<>();
    workload.put("program", program.main());
    workload.put("start", program.start());
    workload.put("scopes", String.join(", ", options.scopes()));
    workload.put("level", options.level().name().toLowerCase(Locale.ROOT));
    workload.putAll(end);
    Map<String, String> plan = new LinkedHashMap<>();
    plan.put("methods woven", Integer.toString(notes.methods()));
    if (!profile.samples().engine().isEmpty()) plan.put("sampler", profile.samples().engine());
    Ceilings ceilings = Ceilings.NONE;
    try {
      if (options.ceilings() != null) ceilings = CeilingsJson.read(options.ceilings());
    } catch (FileException e) {
      plan.put("ceilings", "not known: " + e.getMessage());
    }
    int number = 1;
    for (String line : notes.lines()) plan.put("note " + number++, line);
    Run run =
        new Run(
            options.name().isEmpty() ? program.word() : options.name(),
            title,
            started,
            program.command(),
            options.given().entrySet().stream()
                .map(option -> new Run.Option(option.getKey(), option.getValue(), true, true))
                .toList(),
            Machine.here(),
            "",
            workload,
            plan,
            Map.of(),
            "",
            List.of(Metric.of("recorded", "s", Metric.Better.NEITHER, profile.wallNanos() / 1e9)),
            List.of(),
            0,
            Ceilings.NONE);
    return run.withCeilings(ceilings);
  }
}
