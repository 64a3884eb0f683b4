package dev.ridgeline.train.data;

import dev.ridgeline.model.tokenizer.WholeText;
import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.config.TrainConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * The texts of some files, one after the other; a file is in memory only while it is read.
 *
 * <p>Files that end in {@code .jsonl} have an object per line, all others are UTF-8 text. An error
 * is a {@link TrainException} that names the file and the byte or line.
 *
 * @param separator between documents of a text file; empty if a file is one document
 * @param field the text of an object in a JSONL file
 */
public record Documents(List<Path> files, String separator, String field) {
  /** The largest file that fits an array. */
  private static final long LARGEST = Integer.MAX_VALUE - 64;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNestingDepth(64)
                  .build())
          .build();

  public Documents {
    files = List.copyOf(files);
    if (files.isEmpty()) throw new TrainException("no file to train on");
  }

  /** Those of a configuration. */
  public static Documents of(TrainConfig config) {
    return new Documents(
        DataFiles.find(config.folder(), config.data().files()),
        config.data().separator(),
        config.data().field());
  }

  /** For messages: the file, or the first and how many more. */
  public String name() {
    String first = files.getFirst().toString();
    return files.size() == 1 ? first : "%s and %d more".formatted(first, files.size() - 1);
  }

  /** Passes on all texts, in the order of the files; none of them is empty. */
  public void each(Consumer<String> reader) {
    for (Path file : files) {
      byte[] bytes = bytes(file);
      String text = decoded(file, bytes);
      boolean lines = file.toString().endsWith(".jsonl");
      long count = lines ? objects(file, bytes, reader) : texts(text, reader);
      if (count == 0) throw new TrainException(file, "contains no text");
    }
  }

  private static byte[] bytes(Path file) {
    try {
      long size = Files.size(file);
      if (size == 0) throw new TrainException(file, "is empty");
      if (size > LARGEST) {
        throw new TrainException(file, "is larger than 2 GB: cut it into several files");
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw TrainException.of(file, e);
    }
  }

  private static String decoded(Path file, byte[] bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    // No text has more characters than bytes.
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(in, out, true);
    if (!result.isUnderflow()) {
      throw new TrainException(file, "is not UTF-8 at byte %d".formatted(in.position()));
    }
    return out.flip().toString();
  }

  private long texts(String text, Consumer<String> reader) {
    if (separator.isEmpty()) {
      reader.accept(text);
      return 1;
    }
    long count = 0;
    for (int from = 0; from <= text.length(); ) {
      int found = text.indexOf(separator, from);
      int to = found < 0 ? text.length() : found;
      if (to > from) {
        reader.accept(text.substring(from, to));
        count++;
      }
      from = found < 0 ? text.length() + 1 : found + separator.length();
    }
    return count;
  }

  private long objects(Path file, byte[] bytes, Consumer<String> reader) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), bytes)) {
      long count = 0;
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        TokenStreamLocation at = json.currentTokenLocation();
        if (token != JsonToken.START_OBJECT) throw wrong(file, at, "not a JSON object");
        String text = text(file, json);
        if (text == null) throw wrong(file, at, "has no text '%s'".formatted(field));
        if (WholeText.firstHalf(text) >= 0) throw wrong(file, at, "has half a character");
        if (text.isEmpty()) continue;
        reader.accept(text);
        count++;
      }
      return count;
    } catch (JacksonException e) {
      throw wrong(file, e.getLocation(), "not JSON");
    }
  }

  /** The field's text in an object, or null. */
  private String text(Path file, JsonParser json) {
    String text = null;
    for (String name = json.nextName(); name != null; name = json.nextName()) {
      JsonToken token = json.nextToken();
      if (!name.equals(field)) {
        json.skipChildren();
        continue;
      }
      if (token != JsonToken.VALUE_STRING) {
        throw wrong(file, json.currentTokenLocation(), "'%s' is not a text".formatted(field));
      }
      text = json.getString();
    }
    return text;
  }

  private static TrainException wrong(Path file, TokenStreamLocation at, String what) {
    if (at == null) return new TrainException(file, what);
    return new TrainException(
        "%s:%d: %s, at byte %d".formatted(file, at.getLineNr(), what, at.getByteOffset()));
  }
}
