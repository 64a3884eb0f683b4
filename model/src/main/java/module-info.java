/** Tokenizers, architectures and the embedder. */
module dev.ridgeline.model {
  requires transitive dev.ridgeline.tensor;
  requires tools.jackson.core;

  exports dev.ridgeline.model.imports;
  exports dev.ridgeline.model.synth;
  exports dev.ridgeline.model.tokenizer;
}
