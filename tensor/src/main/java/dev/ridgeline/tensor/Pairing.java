package dev.ridgeline.tensor;

/** Which two numbers of a head {@link Ops#rope} turns together. */
public enum Pairing {
  /** Numbers j and j + width/2: the heads of Gemma, Qwen and of files by Hugging Face. */
  HALVES,
  /** Numbers 2j and 2j + 1: the heads of GGUF files of the architecture {@code llama}. */
  NEIGHBOURS
}
