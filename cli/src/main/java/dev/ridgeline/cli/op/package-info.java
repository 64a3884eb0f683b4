/** The workload {@code op}: one operation, or a part of it, again and again; no model around it. */
package dev.ridgeline.cli.op;
