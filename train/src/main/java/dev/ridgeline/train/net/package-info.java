/**
 * Models that are trained, each with a forward pass as in inference and a backward pass. All
 * weights of a model lie one after the other in one tensor, and so do their gradients.
 */
package dev.ridgeline.train.net;
