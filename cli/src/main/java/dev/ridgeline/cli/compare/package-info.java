/** {@code ridgeline compare} and {@code baseline}: finished runs side by side. */
package dev.ridgeline.cli.compare;
