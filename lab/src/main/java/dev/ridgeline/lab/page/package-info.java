/** Pages that open offline: one look for comparisons and experiments. */
package dev.ridgeline.lab.page;
