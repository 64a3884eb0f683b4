/**
 * Finds tiles and thresholds that are faster on this machine: blocks of interleaved products or
 * texts, each in a fresh process, and the rule by which a value is kept. What is tuned, and the
 * table of it, are {@code tensor.tune}'s.
 */
package dev.ridgeline.lab.tune;
