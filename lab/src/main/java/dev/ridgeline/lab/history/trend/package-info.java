/** A metric over time: comparable runs as one series, where its level changed, and its pictures. */
package dev.ridgeline.lab.history.trend;
