/**
 * What a training says of itself as it goes: {@link dev.ridgeline.train.log.Journal} appends a line
 * of JSON for each step, evaluation and sample, {@link dev.ridgeline.train.log.JournalReader} gives
 * them back as {@link dev.ridgeline.train.log.Line}s to whoever draws or compares them.
 */
package dev.ridgeline.train.log;
