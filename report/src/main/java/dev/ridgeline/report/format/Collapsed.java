package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A tree as collapsed stacks, {@code forward;attention;softmax 1234}: raw self time in nanoseconds,
 * or bytes allocated, by place, for flame graph scripts and whatever else reads lines.
 *
 * <p>A semicolon or a control character inside a name is percent-encoded.
 */
public final class Collapsed {
  private Collapsed() {}

  /** Writes a line for each place that has something of its own. */
  public static void write(CallTree tree, Measure of, OutputStream out) throws IOException {
    Stacks stacks = new Stacks(tree);
    List<String> names = stacks.names().stream().map(Collapsed::encode).toList();
    for (Node node : tree.nodes()) {
      long self = of.self(node);
      if (self == 0) continue;
      String stack =
          stacks.leafFirst(node).reversed().stream()
              .map(names::get)
              .collect(Collectors.joining(";"));
      out.write((stack + " " + self + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String encode(String name) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean looksEncoded =
          c == '%' && i + 2 < name.length() && hex(name.charAt(i + 1)) && hex(name.charAt(i + 2));
      boolean breaksLines = Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
      if (c == ';' || breaksLines || looksEncoded) {
        for (byte b : String.valueOf(c).getBytes(StandardCharsets.UTF_8)) {
          text.append("%%%02X".formatted(b & 0xFF));
        }
      } else {
        text.append(c);
      }
    }
    // An empty frame would look like a missing one.
    return text.isEmpty() ? "%00" : text.toString();
  }

  private static boolean hex(char c) {
    return Character.digit(c, 16) >= 0 && c < 128;
  }
}
