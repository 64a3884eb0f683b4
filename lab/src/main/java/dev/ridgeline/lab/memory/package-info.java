/** Memory along a run: what grows with the work, and what is steady. */
package dev.ridgeline.lab.memory;
