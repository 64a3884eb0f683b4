package dev.ridgeline.cli.experiment;

import picocli.CommandLine.Command;

/** The {@code experiment} command: the list of experiments. */
@Command(
    name = "experiment",
    description =
        "Answers a question by trials in fresh processes, in random order, within a budget.",
    synopsisSubcommandLabel = "EXPERIMENT",
    subcommands = {
      ScalingCommand.class,
      MemoryVsComputeCommand.class,
      QuantizationCommand.class,
      TilesCommand.class,
      StrategiesCommand.class,
      ContextCommand.class,
      AblationCommand.class,
      AllocationCommand.class,
      RunCommand.class,
    },
    footer = {
      "",
      "Every experiment leaves a folder in runs/ with each trial, sweep.json and report.html.",
      "What one asks and which options it has: ridgeline experiment scaling --help",
    })
public final class ExperimentCommand {}
