package dev.ridgeline.train.data;

import dev.ridgeline.train.TrainException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/** Finds the files that match patterns, in the same order everywhere. */
public final class DataFiles {
  private DataFiles() {}

  /**
   * Files in the order of the patterns, those of one pattern by name, none twice. A pattern without
   * a file is an error.
   *
   * @param folder that patterns are relative to
   * @param patterns {@code a.txt}, {@code data/*.txt}, {@code texts/**}{@code /*.jsonl}
   */
  public static List<Path> find(Path folder, List<String> patterns) {
    Set<Path> files = new LinkedHashSet<>();
    for (String pattern : patterns) files.addAll(find(folder, pattern));
    return List.copyOf(files);
  }

  private static List<Path> find(Path folder, String pattern) {
    Path named = folder.resolve(pattern);
    // A name may contain such characters, too.
    if (Files.exists(named) || !isPattern(pattern)) return List.of(regular(named).normalize());
    String[] parts = pattern.split("/");
    int plain = 0;
    while (!isPattern(parts[plain])) plain++;
    String fixed = String.join("/", List.of(parts).subList(0, plain));
    // An empty part before the first slash is the root.
    Path base = folder.resolve(plain > 0 && fixed.isEmpty() ? "/" : fixed);
    List<Path> files =
        matching(base, String.join("/", List.of(parts).subList(plain, parts.length)));
    if (files.isEmpty()) throw new TrainException(named, "no file matches");
    return files;
  }

  private static boolean isPattern(String text) {
    return text.chars().anyMatch(c -> "*?[{".indexOf(c) >= 0);
  }

  private static Path regular(Path file) {
    if (!Files.exists(file)) throw new TrainException(file, "no such file or directory");
    if (Files.isDirectory(file)) throw new TrainException(file, "is a directory: add /*.txt");
    // Opening a pipe would wait for its writer, perhaps for ever.
    if (!Files.isRegularFile(file)) throw new TrainException(file, "not a file");
    return file;
  }

  private static List<Path> matching(Path base, String pattern) {
    List<PathMatcher> matchers = new ArrayList<>();
    try {
      matchers.add(FileSystems.getDefault().getPathMatcher("glob:" + pattern));
      // To all but Java, **/ is also no folder at all.
      matchers.add(FileSystems.getDefault().getPathMatcher("glob:" + pattern.replace("**/", "")));
    } catch (PatternSyntaxException e) {
      throw new TrainException(base.resolve(pattern), "invalid pattern: " + e.getDescription());
    }
    if (!Files.isDirectory(base)) return List.of();
    try (Stream<Path> all = Files.walk(base, FileVisitOption.FOLLOW_LINKS)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> matchers.stream().anyMatch(m -> m.matches(base.relativize(file))))
          .map(Path::normalize)
          .sorted(Comparator.comparing(Path::toString))
          .toList();
    } catch (UncheckedIOException e) {
      boolean loop = e.getCause() instanceof FileSystemLoopException;
      if (loop) throw new TrainException(base, "a symbolic link in it points to a parent folder");
      throw TrainException.of(base, e.getCause());
    } catch (IOException e) {
      throw TrainException.of(base, e);
    }
  }
}
