/**
 * Gemma 3 as an encoder: EmbeddingGemma (arXiv:2509.20354), bidirectional, with a symmetric sliding
 * window in five of six layers and two dense heads behind the pooling.
 */
package dev.ridgeline.model.gemma;
