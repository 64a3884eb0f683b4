/**
 * JSON read with suspicion and written compactly. Nothing here knows what a file is about.
 *
 * <p>On Jackson's streaming core alone: binding would load hundreds of classes at every start.
 */
package dev.ridgeline.report.json;
