/**
 * How far each scope is from what the machine can do. Ceilings come in as data: who measures them
 * lives elsewhere.
 */
package dev.ridgeline.report.roofline;
