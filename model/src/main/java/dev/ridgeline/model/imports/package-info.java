/**
 * Models of others into GGUF: Hugging Face folders, ONNX encoders, checkpoints of llama2.c.
 *
 * <p>A reader ({@link dev.ridgeline.model.imports.OnnxFile}, {@link
 * dev.ridgeline.model.imports.Safetensors}) knows its format and no model. An {@link
 * dev.ridgeline.model.shape.Shape} knows which tensors and keys a model of its kind has. {@link
 * dev.ridgeline.model.imports.ModelImport} brings the two together in a {@link
 * dev.ridgeline.model.draft.Draft}, whose numbers are read when it is written.
 */
package dev.ridgeline.model.imports;
