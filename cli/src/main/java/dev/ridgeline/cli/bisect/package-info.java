/**
 * The {@code bisect} command: which commit made it slower. It asks git, builds revisions and starts
 * processes; the search and its statistics are the lab's.
 */
package dev.ridgeline.cli.bisect;
