/**
 * Whether an operation waits for memory or for arithmetic: its bytes alone, its arithmetic alone,
 * all of it, and the rule that tells. The ceilings of the machine are {@code lab.roofline}'s.
 */
package dev.ridgeline.lab.bound;
