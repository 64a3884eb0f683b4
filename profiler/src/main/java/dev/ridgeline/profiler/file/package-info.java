/**
 * Files that are written whole or not at all, and what is said in one line when that fails. It
 * knows nothing of profiles: every module above may use it.
 */
package dev.ridgeline.profiler.file;
