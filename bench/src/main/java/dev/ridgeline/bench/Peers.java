package dev.ridgeline.bench;

import dev.ridgeline.agent.Agent;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** Where the programs are that are run beside each other. */
final class Peers {
  private Peers() {}

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** This jar; it names what it needs. */
  static String benchJar() {
    return jarOf(Peers.class);
  }

  static String agentJar() {
    return jarOf(Agent.class);
  }

  private static String jarOf(Class<?> type) {
    try {
      Path jar = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
      return jar.toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static void delete(Path folder) throws IOException {
    List<Path> all;
    try (var walk = Files.walk(folder)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) Files.delete(file);
  }
}
