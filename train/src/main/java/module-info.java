/** Training: configurations, data, tokenizers, checkpoints, the training loop. */
module dev.ridgeline.train {
  requires transitive dev.ridgeline.model;
  requires tools.jackson.core;

  exports dev.ridgeline.train;
  exports dev.ridgeline.train.checkpoint;
  exports dev.ridgeline.train.config;
  exports dev.ridgeline.train.data;
  exports dev.ridgeline.train.log;
  exports dev.ridgeline.train.loop;
  exports dev.ridgeline.train.net;
  exports dev.ridgeline.train.tokenizer;
}
