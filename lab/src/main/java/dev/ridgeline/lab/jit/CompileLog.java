package dev.ridgeline.lab.jit;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a JVM prints of compiled methods, asked by {@code -XX:CompileCommand=print}. */
public final class CompileLog {
  private static final Pattern METHOD =
      Pattern.compile(
          "Compiled method \\((c[12])\\)\\s+\\d+\\s+\\d+\\s*(%?)[\\s!bsn]*\\d\\s+"
              + "(?:[\\w$]+\\.)*([\\w$/]+::\\S+).*");
  private static final Pattern CONSTANT =
      Pattern.compile("\\s*0x(\\p{XDigit}+):\\s+0x(\\p{XDigit}{8})\\b.*");
  private static final Pattern BYTES =
      Pattern.compile("\\s*0x(\\p{XDigit}+): ((?:\\p{XDigit}{2,4}|[| ])+)");
  private static final Pattern NOTE = Pattern.compile("\\s*0x(\\p{XDigit}+): ;\\s+\\{(.*)}");

  private CompileLog() {}

  /**
   * The methods in it. Of those that were compiled again, the last version counts; what only the
   * first compiler compiled is there if nothing better is.
   */
  public static List<CompiledMethod> methods(Iterable<String> lines) {
    Map<String, CompiledMethod> byTitle = new LinkedHashMap<>();
    for (Iterator<String> rest = lines.iterator(); rest.hasNext(); ) {
      Matcher method = METHOD.matcher(rest.next());
      if (!method.matches()) continue;
      CompiledMethod read = read(method, rest);
      if (read == null) continue;
      CompiledMethod before = byTitle.get(read.title());
      if (before == null || before.compiler().compareTo(read.compiler()) <= 0) {
        byTitle.put(read.title(), read);
      }
    }
    return new ArrayList<>(byTitle.values());
  }

  /** Null if the log ends before the method does. */
  private static CompiledMethod read(Matcher method, Iterator<String> rest) {
    var code = new ByteArrayOutputStream();
    var notes = new TreeMap<Long, String>();
    var constants = new TreeMap<Long, String>();
    long begin = 0;
    boolean inCode = false;
    while (rest.hasNext()) {
      String line = rest.next();
      if (line.equals("[/MachCode]")) {
        return new CompiledMethod(
            method.group(3),
            method.group(1),
            !method.group(2).isEmpty(),
            begin,
            code.toByteArray(),
            notes,
            constants);
      }
      if (line.equals("[MachCode]")) inCode = true;
      Matcher constant = CONSTANT.matcher(line);
      if (!inCode && constant.matches()) constants.put(hex(constant.group(1)), constant.group(2));
      Matcher note = NOTE.matcher(line);
      if (note.matches()) notes.put(hex(note.group(1)), note.group(2));
      Matcher bytes = BYTES.matcher(line);
      if (!inCode || !bytes.matches()) continue;
      if (code.size() == 0) begin = hex(bytes.group(1));
      String digits = bytes.group(2).replaceAll("[| ]", "");
      for (int at = 0; at < digits.length(); at += 2) {
        code.write(Integer.parseInt(digits, at, at + 2, 16));
      }
    }
    return null;
  }

  private static long hex(String digits) {
    return Long.parseUnsignedLong(digits, 16);
  }
}
