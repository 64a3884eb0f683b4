/** What change points are worth on this machine's own noise: steps planted into real runs. */
package dev.ridgeline.bench.trend;
