/** Measures what this machine can do, and keeps it until it is stale. */
package dev.ridgeline.lab.roofline;
