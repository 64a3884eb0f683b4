package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.Problem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Texts one after the other, from wherever they come. What is wrong names its line. */
interface Texts extends AutoCloseable {
  /** The next text, or null when there is none. */
  String next();

  @Override
  default void close() {}

  /** Texts that are there already. */
  static Texts of(List<String> texts) {
    var rest = texts.iterator();
    return () -> rest.hasNext() ? rest.next() : null;
  }

  /**
   * A file, or standard input for {@code -}.
   *
   * @param field whose value is the text in each line, which is JSON then; null for plain lines
   */
  static Texts from(Path file, String field, InputStream standardInput) {
    boolean standard = file.toString().equals("-");
    try {
      InputStream in = standard ? standardInput : Files.newInputStream(file);
      return new Lines(standard ? "standard input" : file.toString(), in, field);
    } catch (IOException e) {
      throw Problem.of(e);
    }
  }

  /** Lines of UTF-8. */
  final class Lines implements Texts {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final String name;
    private final BufferedReader reader;
    private final String field;
    private long line;

    private Lines(String name, InputStream in, String field) {
      this.name = name;
      this.field = field;
      // Bytes that are no UTF-8 are refused, not replaced: they would become other vectors.
      this.reader =
          new BufferedReader(
              new InputStreamReader(
                  in,
                  StandardCharsets.UTF_8
                      .newDecoder()
                      .onMalformedInput(CodingErrorAction.REPORT)
                      .onUnmappableCharacter(CodingErrorAction.REPORT)));
    }

    @Override
    public String next() {
      String text = read();
      if (text == null) return null;
      line++;
      if (line == 1 && text.startsWith("\uFEFF")) text = text.substring(1);
      if (field != null) text = field(text);
      // Told here and not by the model, which knows its number but not its line.
      if (text.isBlank()) throw new Problem("%s, line %d: no text".formatted(name, line));
      return text;
    }

    private String read() {
      try {
        return reader.readLine();
      } catch (CharacterCodingException e) {
        throw new Problem("%s: not UTF-8 in or behind line %d".formatted(name, line + 1), e);
      } catch (IOException e) {
        throw new Problem("cannot read %s: %s".formatted(name, e.getMessage()), e);
      }
    }

    private String field(String json) {
      JsonNode node;
      try {
        node = JSON.readTree(json);
      } catch (JacksonException e) {
        throw new Problem("%s, line %d: not JSON".formatted(name, line), e);
      }
      JsonNode value = node.get(field);
      if (value == null) {
        throw new Problem("%s, line %d: no field '%s'".formatted(name, line, field));
      }
      if (!value.isString()) {
        throw new Problem("%s, line %d: field '%s' is no text".formatted(name, line, field));
      }
      String text = value.stringValue();
      if (!isWhole(text)) {
        throw new Problem(
            "%s, line %d: half a character, \\uD800 to \\uDFFF".formatted(name, line));
      }
      return text;
    }

    /** Whether no surrogate is alone, as only an escape in JSON can have it. */
    private static boolean isWhole(String text) {
      return text.codePoints().noneMatch(c -> c <= 0xFFFF && Character.isSurrogate((char) c));
    }

    @Override
    public void close() {
      try {
        reader.close();
      } catch (IOException _) {
        // Everything was read.
      }
    }
  }
}
