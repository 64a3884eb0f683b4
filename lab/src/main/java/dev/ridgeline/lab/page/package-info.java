/** The shell of every page that opens offline: its look, and what it may do. */
package dev.ridgeline.lab.page;
