import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Checks or mends the formatting of every Java source of the project. Run by the build on the
 * toolchain's JDK, because google-java-format reads only what the javac of its own JVM reads.
 */
public final class Format {
  public static void main(String[] args) throws Exception {
    boolean fix = args[0].equals("fix");
    Path root = Path.of(args[1]);
    List<Path> wrong =
        sources(root).parallelStream()
            .filter(file -> !isFormatted(file, fix))
            .map(root::relativize)
            .toList();
    if (wrong.isEmpty()) return;
    System.err.println((fix ? "formatted: " : "badly formatted: ") + wrong);
    if (!fix) {
      System.err.println("mend it with: mvn -q -N -Dformat=fix validate");
      System.exit(1);
    }
  }

  /** Whether a file was as it should be. */
  private static boolean isFormatted(Path file, boolean fix) {
    try {
      String before = Files.readString(file);
      String after = new Formatter().formatSourceAndFixImports(before);
      if (after.equals(before)) return true;
      if (fix) Files.writeString(file, after);
      return false;
    } catch (IOException | FormatterException e) {
      throw new IllegalStateException(file + ": " + e.getMessage(), e);
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
