/** Runs trials: fresh processes, in pairs and random order, within a budget of time. */
package dev.ridgeline.lab.trial;
