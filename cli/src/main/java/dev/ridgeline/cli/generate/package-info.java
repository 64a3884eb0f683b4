/**
 * The {@code generate} command and the workload {@code profile generate}: prompts in, texts out.
 */
package dev.ridgeline.cli.generate;
