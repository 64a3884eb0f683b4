package dev.ridgeline.lab.history.index;

import dev.ridgeline.lab.history.History.Kept;
import dev.ridgeline.lab.history.index.IndexFile.Line;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunJson;
import dev.ridgeline.report.run.Runs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The runs of a folder, newest first, in brief: without options, series and ceilings.
 *
 * <p>What was read once is kept in a file beside the runs and not read again while {@code run.json}
 * has the same time and size. The file may be deleted at any time, and written by several processes
 * at once: each writes all that it knows.
 */
public final class RunIndex {
  /** The folder of what can be made again from the runs beside it. */
  private static final String FOLDER = ".index";

  private static final Duration TICK = Duration.ofMillis(50);

  /** In a name, what no line could hold. */
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private final List<Entry> entries;
  private final List<String> damaged;

  private RunIndex(List<Entry> entries, List<String> damaged) {
    this.entries = List.copyOf(entries);
    this.damaged = List.copyOf(damaged);
  }

  /** Told while runs are read that the index does not know. */
  @FunctionalInterface
  public interface Reading {
    Reading UNHEARD = (_, _) -> {};

    /** Called by several threads at once. */
    void at(int done, int all);
  }

  /** A run that was read now, or what is wrong with it, or its line. */
  private record Entry(Runs.Entry found, Run run, Line line, String damage) {
    Kept kept() {
      return new Kept(found.directory(), run == null ? parse(line, found.directory()) : run);
    }
  }

  /** Where the index of a folder of runs is. */
  public static Path folder(Runs runs) {
    return runs.folder().resolve(FOLDER);
  }

  public static RunIndex of(Runs runs) {
    return of(runs, Reading.UNHEARD);
  }

  /** Reads the index of a folder, and every run that is not in it; what it has learnt is kept. */
  public static RunIndex of(Runs runs, Reading reading) {
    List<Runs.Entry> found = runs.entries();
    IndexFile file = new IndexFile(folder(runs).resolve("runs"));
    Map<String, Line> known = file.read();
    Entry[] entries = new Entry[found.size()];
    List<Integer> unknown = new ArrayList<>();
    for (int i = 0; i < entries.length; i++) {
      Line line = known.get(found.get(i).state());
      if (line == null) unknown.add(i);
      else entries[i] = new Entry(found.get(i), null, line, null);
    }
    AtomicInteger done = new AtomicInteger();
    IntStream.range(0, unknown.size())
        .parallel()
        .forEach(
            i -> {
              int at = unknown.get(i);
              entries[at] = read(found.get(at));
              reading.at(done.incrementAndGet(), unknown.size());
            });
    List<Entry> readable = new ArrayList<>();
    List<String> damaged = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry.damage == null) readable.add(entry);
      else damaged.add(entry.damage);
    }
    List<Line> lines = readable.stream().map(Entry::line).filter(Objects::nonNull).toList();
    boolean changed =
        lines.size() != known.size() || unknown.stream().anyMatch(i -> entries[i].line != null);
    // Where there is nothing to remember, nothing is left behind.
    if (changed && !found.isEmpty()) file.write(lines);
    return new RunIndex(readable, damaged);
  }

  private static Entry read(Runs.Entry found) {
    try {
      Run run = found.directory().run().inBrief();
      boolean kept = isSettled(found) && !CONTROL.matcher(found.name()).find();
      Line line = kept ? new Line(found.state(), RunJson.line(run)) : null;
      return new Entry(found, run, line, null);
    } catch (FileException e) {
      return new Entry(found, null, null, e.getMessage());
    }
  }

  /** A file that was written just now may be replaced within the same tick of the clock. */
  private static boolean isSettled(Runs.Entry found) {
    return found.changed().isBefore(Instant.now().minus(TICK));
  }

  private static Run parse(Line line, RunDirectory directory) {
    try {
      return RunJson.read(directory.name(), new ByteArrayInputStream(line.json()));
    } catch (IOException | FileException _) {
      return directory.run().inBrief();
    }
  }

  /** How many runs there are that can be read. */
  public int size() {
    return entries.size();
  }

  /** What is wrong with each of the others, in a line. */
  public List<String> damaged() {
    return damaged;
  }

  /** Those of them whose state is one of these. */
  public List<Kept> in(Set<String> states) {
    return entries.parallelStream()
        .filter(entry -> states.contains(entry.found.state()))
        .map(Entry::kept)
        .toList();
  }

  /** All of them, newest first. */
  public List<Kept> runs() {
    return entries.parallelStream().map(Entry::kept).toList();
  }

  /** The newest of them. */
  public List<Kept> newest(int count) {
    return entries.stream().limit(count).map(Entry::kept).toList();
  }
}
