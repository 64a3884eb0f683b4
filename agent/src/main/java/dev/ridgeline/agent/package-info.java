/**
 * Puts any Java program under the profiler, without touching its source.
 *
 * <p>{@link dev.ridgeline.agent.Agent} is the entry that the JVM calls. {@code scope} says which
 * methods are meant, {@code weave} writes calls of {@code hook} into them and into the places where
 * the JDK hands tasks to other threads, and {@code record} takes the profile and keeps the run.
 */
package dev.ridgeline.agent;
