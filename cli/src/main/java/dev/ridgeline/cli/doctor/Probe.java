package dev.ridgeline.cli.doctor;

import java.util.List;

/** Looks at one topic. It may fail: the doctor then says so and goes on. */
@FunctionalInterface
interface Probe {
  List<Check> examine() throws Exception;
}
