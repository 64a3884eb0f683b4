package dev.ridgeline.cli.generate;

/** How texts are written. */
enum TextFormat {
  /** As they are, each with a line end behind it. */
  TEXT,
  /** An object a line. */
  JSONL
}
