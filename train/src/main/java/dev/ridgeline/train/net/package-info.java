/**
 * Models that learn, each written out twice: forward as in inference, and backward beside it. All
 * weights of a model lie one behind the other in one tensor, and so do their gradients.
 */
package dev.ridgeline.train.net;
