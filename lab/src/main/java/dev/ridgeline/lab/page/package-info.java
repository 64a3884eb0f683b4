/** Pages that open offline: one look for comparisons, experiments and trainings. */
package dev.ridgeline.lab.page;
