/**
 * Measurements that other tools wrote, as runs beside ours: a file is recognised by what it holds,
 * and what it does not tell stays unknown.
 */
package dev.ridgeline.lab.imports;
