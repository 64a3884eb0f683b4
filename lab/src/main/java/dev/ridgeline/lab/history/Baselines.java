package dev.ridgeline.lab.history;

import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Runs that were given a name, to compare others with. A baseline is a copy: it outlives the run
 * that it was made from.
 *
 * <p>A name is a small file that says which copy it means: replacing a file is one step, replacing
 * a folder is two, between which a killed process would lose it.
 *
 * @param folder where they are; need not exist yet
 */
public record Baselines(Path folder) {
  private static final String COPY = ".copy-";
  private static final String NAME = "[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}._-]{0,59}";

  /** The names beside a folder of runs. */
  public static Baselines of(Runs runs) {
    return new Baselines(runs.folder().resolve("baselines"));
  }

  /** The one of this name, or null. */
  public RunDirectory find(String name) {
    Path file = folder.resolve(name.matches(NAME) ? name : "-");
    if (!Files.isRegularFile(file)) return null;
    Path copy = copyOf(file);
    if (copy == null) throw new FileException(file, "names no run; set the baseline again");
    return new RunDirectory(copy);
  }

  /** Gives a run a name; who had it before has it no more. */
  public RunDirectory set(String name, RunDirectory run) {
    if (!name.matches(NAME)) {
      throw new FileException(
          "baseline '" + name + "'", "at most 60 letters, digits, '.', '_' and '-'");
    }
    if (name.equals("last")) {
      throw new FileException("baseline 'last'", "means the newest run; choose another name");
    }
    run.run(); // what cannot be read is no baseline
    Path file = folder.resolve(name);
    Path copy = folder.resolve(COPY + UUID.randomUUID());
    try {
      Files.createDirectories(copy);
      for (String each : List.of("profile.json", "run.json")) {
        Path from = run.path().resolve(each);
        if (Files.exists(from)) Files.copy(from, copy.resolve(each));
      }
    } catch (IOException e) {
      Runs.delete(copy);
      throw FileException.of(copy, e);
    }
    Path old = Files.isRegularFile(file) ? copyOf(file) : null;
    byte[] which = copy.getFileName().toString().getBytes(StandardCharsets.UTF_8);
    WholeFile.write(file, out -> out.write(which));
    if (old != null) Runs.delete(old);
    return new RunDirectory(copy);
  }

  /** Takes a name away; false where nobody had it. */
  public boolean remove(String name) {
    Path file = folder.resolve(name.matches(NAME) ? name : "-");
    if (!Files.isRegularFile(file)) return false;
    Path copy = copyOf(file);
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw FileException.of(file, e);
    }
    if (copy != null) Runs.delete(copy);
    return true;
  }

  /** All of them, by name; one that is damaged is left out. */
  public Map<String, RunDirectory> list() {
    Map<String, RunDirectory> all = new TreeMap<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (!name.matches(NAME) || !Files.isRegularFile(entry)) continue;
        Path copy = copyOf(entry);
        if (copy != null) all.put(name, new RunDirectory(copy));
      }
    } catch (NoSuchFileException _) {
      return all;
    } catch (IOException e) {
      throw FileException.of(folder, e);
    }
    return all;
  }

  /** Which copy a name means, or null where it is not there or no name of a copy. */
  private Path copyOf(Path file) {
    try {
      if (Files.size(file) > 100) return null;
      String which = Files.readString(file).strip();
      if (!which.matches("\\.copy-[0-9a-f-]{36}")) return null;
      Path copy = folder.resolve(which);
      return Files.isRegularFile(copy.resolve("run.json")) ? copy : null;
    } catch (IOException _) {
      return null;
    }
  }
}
