package dev.ridgeline.cli.doctor;

import dev.ridgeline.cli.doctor.Check.Status;
import java.util.List;

/** Everything the doctor found: what text and JSON are drawn from. */
record Diagnosis(List<Section> sections, long nanos) {

  /** The checks of one topic. */
  record Section(String topic, List<Check> checks) {
    static Section of(String topic, Probe probe) {
      try {
        return new Section(topic, probe.examine());
      } catch (Exception | LinkageError e) {
        var failed =
            Check.of(topic + ".probe", "not examined")
                .warning(null, e.toString(), "report this text");
        return new Section(topic, List.of(failed));
      }
    }
  }

  List<Check> checks() {
    return sections.stream().flatMap(s -> s.checks().stream()).toList();
  }

  long count(Status status) {
    return checks().stream().filter(c -> c.status() == status).count();
  }
}
