package dev.ridgeline.cli.doctor;

import java.util.List;

/** Looks at one topic. It may fail: the doctor then says so and goes on. */
interface Probe {
  /** The topic: the section's heading, and the first part of its checks' keys. */
  String topic();

  List<Check> examine() throws Exception;
}
