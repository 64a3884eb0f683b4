/**
 * Finds the commit that changed a metric: which commit to try next, how many trials that takes, and
 * how the answer is told. What a commit is built and run with, and whom to ask about history, is
 * the caller's.
 */
package dev.ridgeline.lab.bisect;
