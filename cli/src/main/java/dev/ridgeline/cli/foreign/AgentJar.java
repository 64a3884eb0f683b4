package dev.ridgeline.cli.foreign;

import dev.ridgeline.cli.line.Problem;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the agent's jar is. */
final class AgentJar {
  private static final String ENTRY = "dev/ridgeline/agent/Agent.class";
  private static final String NAME = "ridgeline-agent.jar";

  private AgentJar() {}

  static Path find() {
    Path jar = where(AgentJar.class.getClassLoader().getResource(ENTRY));
    if (jar == null || !Files.isRegularFile(jar)) {
      throw new Problem(
          "the agent's jar is missing"
              + (jar == null ? "" : " (" + jar + ")")
              + ": build it with mvn -pl cli -am package");
    }
    return jar;
  }

  private static Path where(URL entry) {
    try {
      if (entry == null) return null;
      if (entry.openConnection() instanceof JarURLConnection inJar) {
        return Path.of(inJar.getJarFileURL().toURI());
      }
      // Classes that were compiled but not packed: the jar may lie beside their folder.
      URI uri = entry.toURI();
      Path folder = Path.of(uri);
      for (int i = ENTRY.split("/").length; i > 0; i--) folder = folder.getParent();
      return folder.resolveSibling(NAME);
    } catch (Exception e) {
      return null;
    }
  }
}
