/**
 * JSON read with suspicion and written compactly; not exported.
 *
 * <p>On Jackson's streaming core alone: binding would load hundreds of classes at every start.
 */
package dev.ridgeline.report.json;
