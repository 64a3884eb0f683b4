/**
 * The {@code bisect} command: which commit made it slower. It asks git about history and says how a
 * commit is built; the search, its processes and its statistics are the lab's.
 */
package dev.ridgeline.cli.bisect;
