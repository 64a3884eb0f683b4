/** BERT encoders: MiniLM, BGE, E5 and their kin (Devlin et al. 2018, arXiv:1810.04805). */
package dev.ridgeline.model.bert;
