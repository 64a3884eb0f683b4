/** Steps of training here and in PyTorch, in turns on the same machine. */
package dev.ridgeline.bench.train;
