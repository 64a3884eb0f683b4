/** The {@code quantize} command: a model file of another type; the work is done in tensor.quant. */
package dev.ridgeline.cli.quantize;
