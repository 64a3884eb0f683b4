package dev.ridgeline.train.config;

import dev.ridgeline.train.json.WrongValueException;
import java.util.List;

/**
 * The texts.
 *
 * @param files patterns, seen from the configuration's folder: {@code data/*.txt}
 * @param separator what stands between documents of a text file; empty where a file is one
 * @param field the text of an object in a JSONL file
 * @param evaluation how much of all tokens is never trained on: the last of them
 */
public record DataConfig(List<String> files, String separator, String field, double evaluation) {
  public DataConfig {
    files = List.copyOf(files);
    if (files.isEmpty()) throw new WrongValueException("files", "none");
    for (String file : files) Range.written("files", file);
    Range.written("field", field);
    Range.within("evaluation", evaluation, 0, 0.9);
  }
}
