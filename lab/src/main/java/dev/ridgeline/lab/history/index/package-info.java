/** What is known of every run of a folder without reading all of them again. */
package dev.ridgeline.lab.history.index;
