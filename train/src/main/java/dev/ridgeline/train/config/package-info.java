/**
 * What is trained, on what and how: a JSON file that {@link
 * dev.ridgeline.train.config.TrainConfigFile} reads into a {@link
 * dev.ridgeline.train.config.TrainConfig}. Records have the keys of the file, in the order of
 * {@code docs/train.schema.json}, and check their ranges themselves; the file adds the line.
 * Nothing here opens the files that it names.
 */
package dev.ridgeline.train.config;
