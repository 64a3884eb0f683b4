/**
 * The {@code experiment} command: each of its subcommands says which arms there are and what may be
 * concluded; {@link dev.ridgeline.cli.experiment.Laboratory} runs them and keeps the record.
 */
package dev.ridgeline.cli.experiment;
