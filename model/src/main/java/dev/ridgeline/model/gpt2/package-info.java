/** GPT-2: learned positions, layer norms before attention and feed-forward layer, biases. */
package dev.ridgeline.model.gpt2;
