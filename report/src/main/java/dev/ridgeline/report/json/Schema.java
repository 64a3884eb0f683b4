package dev.ridgeline.report.json;

import tools.jackson.core.JsonGenerator;

/**
 * A kind of file. Its first two fields say the kind and the version, so that a file of another kind
 * or from the future is refused before the rest of it is looked at.
 *
 * @param kind what it holds: {@code profile}
 * @param version raised whenever an older reader would misunderstand
 * @param maxBytes no file of this kind comes near it; what does is not one
 */
public record Schema(String kind, int version, long maxBytes) {
  static final String KIND = "ridgeline";
  static final String VERSION = "version";

  /** Begins the file's object. */
  public void begin(JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty(KIND, kind);
    json.writeNumberProperty(VERSION, version);
  }
}
