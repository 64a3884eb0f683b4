package dev.ridgeline.cli.experiment;

import dev.ridgeline.lab.sweep.Arm;

/** An arm and how its trials are started. */
record Attempt(Arm arm, Start start) {}
