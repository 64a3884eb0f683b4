/**
 * The command line itself: settings and how they are read, what every command has, how it shows
 * where it is and how it ends.
 *
 * <p>No command lives here, and nothing here knows one.
 */
package dev.ridgeline.cli.line;
