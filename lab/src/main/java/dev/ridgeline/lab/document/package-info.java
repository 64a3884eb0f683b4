/**
 * What a measurement answers as a document, and its renderers: one for the console, one for
 * Markdown, one for a page.
 */
package dev.ridgeline.lab.document;
