/**
 * Two finished runs side by side, from what they kept: never from a report. What their design does
 * not allow to conclude is not concluded.
 */
package dev.ridgeline.lab.compare;
