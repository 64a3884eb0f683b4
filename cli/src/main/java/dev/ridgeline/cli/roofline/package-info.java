/**
 * The {@code roofline} command: this machine's ceilings, and what they allow one product or a whole
 * model.
 */
package dev.ridgeline.cli.roofline;
