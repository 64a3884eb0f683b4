/** The {@code chat} command: a conversation with a model, typed or from a pipe. */
package dev.ridgeline.cli.chat;
