/** What verdicts of {@code ridgeline ab} are worth: its sessions, simulated on recorded noise. */
package dev.ridgeline.bench.ab;
