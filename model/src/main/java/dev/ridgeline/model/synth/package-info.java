/**
 * Models of real shapes with random weights, so that speed can be studied where the real weights
 * are out of reach. What they answer means nothing; how long it takes does.
 */
package dev.ridgeline.model.synth;
