/** Tokenizers, architectures, importers, the embedder and the generator. */
module dev.ridgeline.model {
  requires transitive dev.ridgeline.tensor;
  requires java.net.http;
  requires java.xml;
  requires tools.jackson.core;

  exports dev.ridgeline.model;
  exports dev.ridgeline.model.draft;
  exports dev.ridgeline.model.generate;
  exports dev.ridgeline.model.imports;
  exports dev.ridgeline.model.json;
  exports dev.ridgeline.model.pass;
  exports dev.ridgeline.model.shape;
  exports dev.ridgeline.model.store;
  exports dev.ridgeline.model.synth;
  exports dev.ridgeline.model.tokenizer;
}
