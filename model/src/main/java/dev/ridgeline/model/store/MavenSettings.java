package dev.ridgeline.model.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The one thing in Maven's settings that matters here: where its local repository is. */
final class MavenSettings {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)}");

  private MavenSettings() {}

  /**
   * What the file says, or null: a file that Maven cannot read either is Maven's to complain of.
   */
  static String localRepository(Path settings, Map<String, String> environment, Path home) {
    if (!Files.isRegularFile(settings)) return null;
    try (InputStream in = Files.newInputStream(settings)) {
      String said = text(in);
      return said == null || said.isBlank() ? null : filled(said.strip(), environment, home);
    } catch (IOException | XMLStreamException _) {
      return null;
    }
  }

  private static String text(InputStream in) throws XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    XMLStreamReader xml = factory.createXMLStreamReader(in);
    int depth = 0;
    while (xml.hasNext()) {
      switch (xml.next()) {
        case XMLStreamReader.START_ELEMENT -> {
          if (++depth == 2 && xml.getLocalName().equals("localRepository")) {
            return xml.getElementText();
          }
        }
        case XMLStreamReader.END_ELEMENT -> depth--;
        default -> {}
      }
    }
    return null;
  }

  private static String filled(String text, Map<String, String> environment, Path home) {
    return VARIABLE
        .matcher(text)
        .replaceAll(
            variable -> Matcher.quoteReplacement(value(variable.group(1), environment, home)));
  }

  private static String value(String name, Map<String, String> environment, Path home) {
    if (name.equals("user.home")) return home.toString();
    if (name.startsWith("env.")) return environment.getOrDefault(name.substring(4), "");
    return System.getProperty(name, "");
  }
}
