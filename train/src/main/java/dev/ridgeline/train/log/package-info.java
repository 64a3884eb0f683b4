/**
 * The record of a training: {@link dev.ridgeline.train.log.Journal} appends a line of JSON for each
 * step, evaluation and sample, {@link dev.ridgeline.train.log.JournalReader} reads them as {@link
 * dev.ridgeline.train.log.Line}s.
 */
package dev.ridgeline.train.log;
