package dev.ridgeline.cli.texts;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.model.tokenizer.WholeText;
import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Lines of UTF-8, plain or JSON. */
final class Lines extends Texts {
  /** Numbers keep all their digits. */
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  /** For what UTF-8 has no bytes for. */
  private static final JsonMapper ASCII =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private final String name;
  private final Counted bytes;
  private final long size;
  private final BufferedReader reader;
  private final String field;
  private final boolean withFields;
  private String fields;

  private Lines(
      String name, InputStream in, long size, String field, boolean skipEmpty, boolean withFields) {
    super(skipEmpty);
    this.withFields = withFields;
    this.name = name;
    this.bytes = new Counted(in);
    this.size = size;
    this.field = field;
    // Bytes that are no UTF-8 are refused, not replaced: they would become other vectors.
    this.reader =
        new BufferedReader(
            new InputStreamReader(
                bytes,
                StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)));
  }

  static Lines of(
      Path file, String field, InputStream standardInput, boolean skipEmpty, boolean withFields) {
    if (file.toString().equals("-")) {
      return new Lines("standard input", standardInput, 0, field, skipEmpty, withFields);
    }
    try {
      InputStream in = Files.newInputStream(file);
      return new Lines(file.toString(), in, Files.size(file), field, skipEmpty, withFields);
    } catch (IOException e) {
      throw Problem.of(e);
    }
  }

  @Override
  String read() {
    String line = line();
    if (line == null) return null;
    if (count() == 0 && line.startsWith("\uFEFF")) line = line.substring(1);
    return field == null || line.isBlank() ? line : field(line);
  }

  private String line() {
    try {
      return reader.readLine();
    } catch (CharacterCodingException e) {
      throw new Problem("%s: not UTF-8 at line %d".formatted(name, bytes.utf8.line()), e);
    } catch (IOException e) {
      throw new Problem("cannot read %s: %s".formatted(name, e.getMessage()), e);
    }
  }

  private String field(String json) {
    JsonNode node;
    try {
      node = JSON.readTree(json);
    } catch (JacksonException e) {
      throw new Problem(place(count()) + ": not JSON", e);
    }
    JsonNode value = node.get(field);
    if (value == null) throw new Problem("%s: no field '%s'".formatted(place(count()), field));
    if (value.isNull()) return "";
    if (!value.isString()) {
      throw new Problem("%s: field '%s' is no text".formatted(place(count()), field));
    }
    String text = value.stringValue();
    if (WholeText.firstHalf(text) >= 0) {
      throw new Problem(place(count()) + ": half a character, \\uD800 to \\uDFFF");
    }
    if (withFields) fields = others((ObjectNode) node);
    return text;
  }

  /** All but the text, as it will be written. */
  private String others(ObjectNode line) {
    line.remove(field);
    if (line.isEmpty()) return null;
    String json = JSON.writeValueAsString(line);
    return WholeText.firstHalf(json) < 0 ? json : ASCII.writeValueAsString(line);
  }

  @Override
  String fields() {
    return fields;
  }

  @Override
  public boolean inLines() {
    return true;
  }

  @Override
  public String place(long index) {
    return "%s, line %d".formatted(name, index + 1);
  }

  /** Of what has been taken from the file, which runs a little ahead of the lines. */
  @Override
  public double part() {
    return size == 0 ? Double.NaN : Math.min(1, (double) bytes.count / size);
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException _) {
      // Everything was read.
    }
  }

  /** Refuses a line that has no end. */
  private static final class Counted extends FilterInputStream {
    private static final int LONGEST_LINE = 64 << 20;

    private final Utf8Lines utf8 = new Utf8Lines();
    private long count;
    private long lineBegin;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int from, int most) throws IOException {
      int read = super.read(to, from, most);
      for (int i = from; i < from + read; i++) {
        count++;
        utf8.next(to[i]);
        if (to[i] == '\n') lineBegin = count;
      }
      if (count - lineBegin > LONGEST_LINE) {
        throw new IOException("a line of more than %d MiB".formatted(LONGEST_LINE >> 20));
      }
      return read;
    }
  }
}
