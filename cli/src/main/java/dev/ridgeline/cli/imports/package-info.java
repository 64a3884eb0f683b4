/** {@code ridgeline import}: models of others into GGUF, measurements of others into runs. */
package dev.ridgeline.cli.imports;
