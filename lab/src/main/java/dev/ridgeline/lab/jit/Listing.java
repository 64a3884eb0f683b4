package dev.ridgeline.lab.jit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The instructions of a compiled method, without addresses: jumps go to labels, constants show
 * their value, so that the same code reads the same wherever the JVM put it.
 *
 * @param title of the method
 * @param compiler {@code c1} or {@code c2}
 * @param bytes of its code
 * @param lines instructions, each label before the one it names
 */
public record Listing(String title, String compiler, int bytes, List<String> lines) {
  /** Vectors by their width, and calls: what tells good code of a kernel from bad. */
  public record Counts(int instructions, int bits512, int bits256, int bits128, int calls) {}

  private static final Pattern INSTRUCTION = Pattern.compile("\\s*(\\p{XDigit}+):\\s+(.+)");
  private static final Pattern JUMP =
      Pattern.compile("(j\\w+|call|xbegin)\\s+0x(\\p{XDigit}+)(?:\\s.*)?");
  private static final Pattern CONSTANT =
      Pattern.compile("\\[rip[+-]0x\\p{XDigit}+]\\s+# 0x(\\p{XDigit}+).*");
  private static final Pattern ADDRESS = Pattern.compile("\\b0x0*[1-9a-f]\\p{XDigit}{8,}");

  /** Of what objdump says of a method; null where there is none. */
  public static Listing of(CompiledMethod method) {
    List<String> said = Objdump.instructions(method.code(), method.begin());
    if (said == null) return null;
    long end = method.begin() + method.code().length;
    Map<Long, String> labels = new HashMap<>();
    var targets = new TreeSet<Long>();
    for (String line : said) {
      Matcher jump = JUMP.matcher(INSTRUCTION.matcher(line).replaceFirst("$2"));
      if (!jump.matches()) continue;
      long to = Long.parseUnsignedLong(jump.group(2), 16);
      if (to >= method.begin() && to < end) targets.add(to);
    }
    for (long target : targets) labels.put(target, "L" + (labels.size() + 1));
    List<String> lines = new ArrayList<>();
    for (String line : said) {
      Matcher instruction = INSTRUCTION.matcher(line);
      if (!instruction.matches()) continue;
      long at = Long.parseUnsignedLong(instruction.group(1), 16);
      if (labels.containsKey(at)) lines.add(labels.get(at) + ":");
      String text = plain(instruction.group(2).strip(), labels, method);
      String note = method.notes().get(at);
      lines.add("    " + (note == null ? text : text + "   ; " + withoutAddresses(note)));
    }
    return new Listing(method.title(), method.compiler(), method.code().length, List.copyOf(lines));
  }

  private static String plain(String text, Map<Long, String> labels, CompiledMethod method) {
    Matcher jump = JUMP.matcher(text);
    if (jump.matches()) {
      String label = labels.get(Long.parseUnsignedLong(jump.group(2), 16));
      return jump.group(1) + " " + (label == null ? "outside" : label);
    }
    Matcher constant = CONSTANT.matcher(text);
    if (constant.find()) {
      String value = method.constants().get(Long.parseUnsignedLong(constant.group(1), 16));
      text = constant.replaceFirst(value == null ? "[elsewhere]" : "[= 0x" + value + "]");
    }
    return withoutAddresses(text.replaceAll("\\s+", " "));
  }

  private static String withoutAddresses(String text) {
    return ADDRESS.matcher(text).replaceAll("ADDRESS");
  }

  public Counts counts() {
    int all = 0;
    int bits512 = 0;
    int bits256 = 0;
    int bits128 = 0;
    int calls = 0;
    for (String line : lines) {
      if (line.endsWith(":")) continue;
      all++;
      if (line.contains("zmm")) bits512++;
      else if (line.contains("ymm")) bits256++;
      else if (line.contains("xmm")) bits128++;
      if (line.contains("call ")) calls++;
    }
    return new Counts(all, bits512, bits256, bits128, calls);
  }
}
