/**
 * The engines of others beside ours, on the same work. A class for each engine behind {@link
 * dev.ridgeline.bench.peers.Engine}, a record for each work, and {@link
 * dev.ridgeline.bench.peers.SideBySide} that starts a JVM for each of them.
 */
package dev.ridgeline.bench.peers;
