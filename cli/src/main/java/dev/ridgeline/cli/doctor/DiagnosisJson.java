package dev.ridgeline.cli.doctor;

import dev.ridgeline.cli.doctor.Check.Status;
import dev.ridgeline.cli.line.Version;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A diagnosis for programs. Keys stay; a change that breaks readers raises {@link #VERSION}. */
final class DiagnosisJson {
  static final int VERSION = 1;

  private DiagnosisJson() {}

  static String of(Diagnosis diagnosis) {
    var mapper = JsonMapper.shared();
    ObjectNode root = mapper.createObjectNode();
    root.put("schema", "ridgeline.doctor").put("version", VERSION).put("ridgeline", Version.of());
    root.put("seconds", diagnosis.nanos() / 1e9);
    root.put("problems", diagnosis.count(Status.PROBLEM));
    root.put("warnings", diagnosis.count(Status.WARNING));
    ObjectNode checks = root.putObject("checks");
    for (Check check : diagnosis.checks()) {
      ObjectNode entry = checks.putObject(check.key());
      entry.put("status", check.status().name().toLowerCase());
      entry.set("value", mapper.valueToTree(check.value()));
      entry.put("text", check.text());
      if (check.fix() != null) entry.put("fix", check.fix());
    }
    return root.toPrettyString();
  }
}
