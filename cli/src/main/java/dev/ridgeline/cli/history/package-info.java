/** {@code ridgeline history}: all runs of a folder, listed and asked. */
package dev.ridgeline.cli.history;
