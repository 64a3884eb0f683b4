/**
 * Charts as data, and how they are drawn on a page and on a console. They know nothing of what they
 * show.
 */
package dev.ridgeline.lab.chart;
