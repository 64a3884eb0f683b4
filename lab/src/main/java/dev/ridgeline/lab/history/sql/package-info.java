/** The runs of a folder as tables of an embedded database, whose driver the caller brings. */
package dev.ridgeline.lab.history.sql;
