package dev.ridgeline.cli.roofline;

import dev.ridgeline.report.roofline.Ceilings;

/**
 * What the command has to say.
 *
 * @param product one that was asked for, or null
 * @param model one that was asked for, or null
 */
record RooflineAnswer(Ceilings roof, TimedProduct product, ModelLight model) {}
