/** Tokenizers, architectures and the embedder. */
module dev.ridgeline.model {
  requires transitive dev.ridgeline.tensor;
  requires tools.jackson.core;
}
