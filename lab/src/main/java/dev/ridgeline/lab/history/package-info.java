/** Earlier runs: which of them are like a run, what their drift is, and those that have a name. */
package dev.ridgeline.lab.history;
