/** The {@code inspect} command: what a model file holds, for people and for programs. */
package dev.ridgeline.cli.inspect;
