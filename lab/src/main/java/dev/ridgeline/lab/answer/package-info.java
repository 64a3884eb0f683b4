/**
 * What each of ridgeline's own experiments concludes from what its arms measured, as data that can
 * be drawn again. Which arms there are and how they are started is the command's.
 */
package dev.ridgeline.lab.answer;
