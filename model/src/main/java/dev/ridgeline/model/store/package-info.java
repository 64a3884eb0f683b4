/**
 * Where models come from: what users call them, which are known by name, how they are fetched, and
 * the cache they are kept in.
 *
 * <p>{@link dev.ridgeline.model.store.Models} is the way in. Nothing here looks inside a model:
 * what is in a GGUF file is the business of those who open it.
 */
package dev.ridgeline.model.store;
