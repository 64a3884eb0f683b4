/**
 * Small JSON objects with the line of each key, so that an error can name file, line and key.
 * {@link dev.ridgeline.train.json.Json} reads them, {@link dev.ridgeline.train.json.Fields} checks
 * types.
 */
package dev.ridgeline.train.json;
