import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks or mends the formatting of every Java source of the project. Run by the build on the
 * toolchain's JDK, because google-java-format reads only what the javac of its own JVM reads.
 */
public final class Format {
  public static void main(String[] args) throws Exception {
    boolean fix = args[0].equals("fix");
    Path root = Path.of(args[1]);
    List<Path> wrong = new ArrayList<>();
    for (Path file : sources(root)) {
      String before = Files.readString(file);
      String after = new Formatter().formatSourceAndFixImports(before);
      after = RemoveUnusedImports.removeUnusedImports(after);
      if (!after.equals(before)) {
        wrong.add(root.relativize(file));
        if (fix) Files.writeString(file, after);
      }
    }
    if (wrong.isEmpty()) return;
    System.err.println((fix ? "formatted: " : "badly formatted: ") + wrong);
    if (!fix) {
      System.err.println("mend it with: mvn -q -N -Dformat=fix validate");
      System.exit(1);
    }
  }

  private static List<Path> sources(Path root) throws IOException {
    try (var files = Files.walk(root)) {
      return files
          .filter(f -> f.toString().endsWith(".java"))
          .filter(f -> !root.relativize(f).toString().matches("(.*/)?(target|runs|\\..*)/.*"))
          .sorted()
          .toList();
    }
  }
}
