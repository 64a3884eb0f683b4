package dev.ridgeline.cli.roofline;

import dev.ridgeline.report.roofline.Ceilings;

/**
 * What the command has to say.
 *
 * @param roof the ceilings that count
 * @param now the same ones as they were measured just now; the roof itself where nothing was
 * @param product one that was asked for, or null
 * @param model one that was asked for, or null
 */
record RooflineAnswer(Ceilings roof, Ceilings now, TimedProduct product, ModelLight model) {}
