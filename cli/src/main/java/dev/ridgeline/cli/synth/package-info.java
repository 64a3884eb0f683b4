/** {@code ridgeline synth}: models of real shapes with random weights. */
package dev.ridgeline.cli.synth;
