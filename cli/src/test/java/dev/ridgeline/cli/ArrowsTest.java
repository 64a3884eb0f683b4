package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Which module and which package may use which: nothing points back. Read from compiled classes.
 */
class ArrowsTest {
  /** What each module may use, besides itself. */
  private static final Map<String, Set<String>> MODULES =
      Map.of(
          "profiler", Set.of(),
          "report", Set.of("profiler"),
          "agent", Set.of("profiler", "report"),
          "tensor", Set.of("profiler"),
          "model", Set.of("profiler", "tensor"),
          "train", Set.of("profiler", "tensor", "model"),
          "lab", Set.of("profiler", "report", "tensor", "model", "train"),
          "cli", Set.of("profiler", "report", "agent", "tensor", "model", "train", "lab"));

  private static final Pattern OURS = Pattern.compile("\\bL?dev/ridgeline/((?:\\w+/)+)[A-Z]\\w*");

  /** The packages that each package uses, and by which class first. */
  private static final Map<String, Map<String, String>> USES = new TreeMap<>();

  @BeforeAll
  static void read() throws IOException {
    for (String module : MODULES.keySet()) {
      Path classes = Path.of("..", module, "target", "classes", "dev", "ridgeline");
      try (var files = Files.walk(classes)) {
        for (Path file : files.filter(ArrowsTest::isClass).toList()) read(classes, file);
      }
    }
  }

  private static boolean isClass(Path file) {
    return file.toString().endsWith(".class") && !file.endsWith("package-info.class");
  }

  private static void read(Path root, Path file) throws IOException {
    String from = root.relativize(file.getParent()).toString().replace('/', '.');
    Map<String, String> uses = USES.computeIfAbsent(from, _ -> new TreeMap<>());
    for (var entry : ClassFile.of().parse(file).constantPool()) {
      String text =
          switch (entry) {
            case ClassEntry used -> used.asInternalName();
            case Utf8Entry used -> used.stringValue();
            default -> "";
          };
      for (MatchResult match : OURS.matcher(text).results().toList()) {
        String to = match.group(1).replace('/', '.');
        to = to.substring(0, to.length() - 1);
        if (!to.equals(from)) uses.putIfAbsent(to, file.getFileName().toString());
      }
    }
  }

  @Test
  void noModulePointsBack() {
    List<String> wrong = new ArrayList<>();
    USES.forEach(
        (from, uses) ->
            uses.forEach(
                (to, by) -> {
                  String user = module(from);
                  if (user.equals(module(to)) || MODULES.get(user).contains(module(to))) return;
                  wrong.add("%s uses %s (%s)".formatted(from, to, by));
                }));
    assertThat(USES).hasSizeGreaterThan(50);
    assertThat(wrong).isEmpty();
  }

  private static String module(String name) {
    return name.split("\\.")[0];
  }

  @Test
  void noPackagesUseEachOther() {
    List<String> wrong = new ArrayList<>();
    for (String from : USES.keySet()) {
      for (Map.Entry<String, String> use : USES.get(from).entrySet()) {
        if (!reaches(use.getKey(), from)) continue;
        wrong.add("%s uses %s (%s)".formatted(from, use.getKey(), use.getValue()));
      }
    }
    assertThat(wrong).as("part of a cycle").isEmpty();
  }

  private static boolean reaches(String from, String to) {
    Set<String> seen = new TreeSet<>();
    List<String> next = List.of(from);
    while (!next.isEmpty()) {
      if (next.contains(to)) return true;
      seen.addAll(next);
      next =
          next.stream()
              .flatMap(each -> USES.getOrDefault(each, Map.of()).keySet().stream())
              .distinct()
              .filter(each -> !seen.contains(each))
              .collect(Collectors.toList());
    }
    return false;
  }

  /** What computes is found by name, so that another device needs no change here. */
  @Test
  void operationsDoNotKnowTheProcessor() {
    assertThat(USES.get("tensor")).doesNotContainKey("tensor.cpu");
  }
}
