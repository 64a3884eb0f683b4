/** {@code ridgeline import}: models of others into GGUF. */
package dev.ridgeline.cli.imports;
