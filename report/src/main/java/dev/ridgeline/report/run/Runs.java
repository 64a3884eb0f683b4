package dev.ridgeline.report.run;

import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.profiler.file.WholeFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A folder of runs.
 *
 * @param folder where they are; need not exist yet
 */
public record Runs(Path folder) {
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final Duration STALE = Duration.ofHours(1);

  /**
   * The folder to use: the option, else the environment's, else {@code runs} where the command was
   * given.
   *
   * @param workingDirectory where the command was given
   * @param option value of {@code --runs}, or null
   * @param environment value of {@code RIDGELINE_RUNS}, or null
   */
  public static Runs of(Path workingDirectory, String option, String environment) {
    boolean given = option != null && !option.isEmpty();
    boolean set = environment != null && !environment.isEmpty();
    String folder = given ? option : set ? environment : "runs";
    try {
      return new Runs(workingDirectory.resolve(folder));
    } catch (InvalidPathException e) {
      throw new FileException(folder, "not a file name: " + e.getReason());
    }
  }

  /**
   * Begins a run; what cannot be written is found out here, before anything long is started.
   *
   * @param name a word for the kind of run, as in {@link Run#name}
   * @param started when it began
   */
  public RunDraft begin(String name, Instant started) {
    try {
      Files.createDirectories(folder);
      salvage();
      removeStale();
      String own = directoryName(name, started);
      folder.resolve(own); // refuses now what the locale cannot write later
      // The process id keeps a process from trying its own locks: closing one would lose it.
      String unfinished =
          WholeFile.TEMPORARY + ProcessHandle.current().pid() + "-" + UUID.randomUUID();
      return new RunDraft(folder, folder.resolve(unfinished), own);
    } catch (InvalidPathException e) {
      throw new FileException(name, "no file can have this name here: " + e.getReason());
    } catch (IOException e) {
      throw FileException.of(folder, e);
    }
  }

  private static String directoryName(String name, Instant started) {
    String word = name.replaceAll("[^\\p{L}\\p{M}\\p{N}._-]+", "-");
    return MOMENT.format(started) + "-" + word.substring(0, Math.min(60, word.length()));
  }

  /**
   * Makes runs of the drafts of killed processes that hold all a run needs: a process that records
   * for long leaves copies there in passing. Those that hold less are of no use to anybody and
   * cleared away. Answers the runs that it made.
   */
  public List<RunDirectory> salvage() {
    List<RunDirectory> saved = new ArrayList<>();
    try (DirectoryStream<Path> drafts =
        Files.newDirectoryStream(folder, WholeFile.TEMPORARY + "*")) {
      for (Path draft : drafts) {
        RunDirectory left = new RunDirectory(draft);
        Path lock = draft.resolve(RunDraft.LOCK);
        boolean whole = Files.exists(draft.resolve(RunDirectory.RUN)) && left.hasProfile();
        // A draft without its lock is about to be renamed by its own process.
        if (isMine(draft) || !Files.exists(lock) || !abandoned(lock)) continue;
        if (!whole) {
          if (!lives(draft)) delete(draft);
          continue;
        }
        try {
          Run run = left.run();
          Files.delete(lock);
          saved.add(RunDraft.rename(draft, folder, directoryName(run.name(), run.started())));
        } catch (IOException | FileException _) {
          // Somebody else was quicker, or it cannot be read: no run.
        }
      }
    } catch (IOException | DirectoryIteratorException _) {
      // No folder, no drafts.
    }
    return saved;
  }

  /** The process id keeps a process from trying its own locks: closing one would lose it. */
  private static boolean isMine(Path draft) {
    return draft
        .getFileName()
        .toString()
        .startsWith(WholeFile.TEMPORARY + ProcessHandle.current().pid() + "-");
  }

  /** Whether a draft's process is there: it may be about to take the lock that it has made. */
  private static boolean lives(Path draft) {
    String pid = draft.getFileName().toString().substring(WholeFile.TEMPORARY.length());
    try {
      return ProcessHandle.of(Long.parseLong(pid.split("-", 2)[0])).isPresent();
    } catch (NumberFormatException _) {
      return true;
    }
  }

  /**
   * A finished run as its folder shows it.
   *
   * @param directory where it is
   * @param name of the directory
   * @param changed when its {@code run.json} was written
   * @param bytes the size of that
   * @param file a number that another file in its place hardly has
   */
  public record Entry(RunDirectory directory, String name, Instant changed, long bytes, int file) {
    /** What it is called and the state of its file: the same as long as that is not replaced. */
    public String state() {
      String moment = changed.getEpochSecond() + "." + changed.getNano();
      return moment + " " + bytes + " " + file + " " + name;
    }
  }

  /** All finished runs, newest first. */
  public List<RunDirectory> list() {
    return entries().stream().map(Entry::directory).toList();
  }

  /** All finished runs, newest first, without reading them. */
  public List<Entry> entries() {
    record Dated(Entry entry, String moment, long changed) {}
    List<Dated> dated = new ArrayList<>();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        String name = path.getFileName().toString();
        Entry entry = name.startsWith(".") ? null : entry(path, name);
        if (entry == null) continue;
        dated.add(new Dated(entry, name.split("-", 2)[0], entry.changed().toEpochMilli()));
      }
    } catch (NoSuchFileException _) {
      return List.of();
    } catch (IOException e) {
      throw FileException.of(folder, e);
    } catch (DirectoryIteratorException e) {
      throw FileException.of(folder, e.getCause());
    }
    dated.sort(
        Comparator.comparing(Dated::moment)
            .thenComparing(Dated::changed)
            .thenComparing(one -> one.entry().name())
            .reversed());
    return dated.stream().map(Dated::entry).toList();
  }

  /** The run in a directory, or null where none is; one that leads nowhere is told when read. */
  private static Entry entry(Path path, String name) {
    Path run = path.resolve(RunDirectory.RUN);
    Entry entry = entry(path, name, run);
    return entry == null ? entry(path, name, run, LinkOption.NOFOLLOW_LINKS) : entry;
  }

  private static Entry entry(Path path, String name, Path run, LinkOption... links) {
    try {
      var file = Files.readAttributes(run, BasicFileAttributes.class, links);
      Instant changed = file.lastModifiedTime().toInstant();
      int key = Objects.hashCode(file.fileKey());
      return new Entry(new RunDirectory(path), name, changed, file.size(), key);
    } catch (IOException _) {
      return null;
    }
  }

  /**
   * The run that a user means.
   *
   * @param argument {@code last}, {@code last~2} for the second before it, a directory's path, a
   *     run's name, or the beginning of one
   */
  public RunDirectory find(String argument) {
    return find(argument, _ -> true);
  }

  /**
   * The run that a user means, where only some runs count for {@code last} and {@code last~2}.
   *
   * @param counts whether it does; asked newest first, and no more than is needed
   */
  public RunDirectory find(String argument, Predicate<RunDirectory> counts) {
    if (argument.isEmpty()) throw none(argument, "give a path, a name or 'last'");
    RunDirectory byPath = byPath(argument);
    if (byPath != null) return byPath;
    if (!Files.isDirectory(folder)) throw none(argument, "there is no folder " + folder);
    List<RunDirectory> runs = list();
    if (runs.isEmpty()) throw none(argument, "no runs in " + folder + " yet");
    if (argument.equals("last") || argument.startsWith("last~")) {
      return fromLast(argument, runs.stream().filter(counts));
    }
    List<RunDirectory> matches =
        runs.stream().filter(run -> run.name().startsWith(argument)).toList();
    for (RunDirectory run : matches) if (run.name().equals(argument)) return run;
    if (matches.size() == 1) return matches.getFirst();
    String newest = matches.isEmpty() ? runs.getFirst().name() : matches.getFirst().name();
    throw matches.isEmpty()
        ? none(argument, "the newest in " + folder + " is " + newest)
        : new FileException(
            folder,
            "'%s' begins %d runs, the newest of them %s"
                .formatted(argument, matches.size(), newest));
  }

  private RunDirectory fromLast(String argument, Stream<RunDirectory> newestFirst) {
    String count = argument.equals("last") ? "0" : argument.substring("last~".length());
    if (!count.matches("\\d{1,9}")) throw none(argument, "last~1 is the run before the last");
    int before = Integer.parseInt(count);
    List<RunDirectory> runs = newestFirst.limit(before + 1L).toList();
    if (before < runs.size()) return runs.get(before);
    if (runs.isEmpty()) throw none(argument, "no run in " + folder + " can be compared");
    String all = runs.size() == 1 ? "there is only one run" : "there are only %,d runs";
    throw none(argument, all.formatted(runs.size()) + " in " + folder);
  }

  private static FileException none(String argument, String why) {
    return new FileException("no run '" + argument + "'", why);
  }

  private static RunDirectory byPath(String argument) {
    try {
      Path path = Path.of(argument);
      // Only what looks like a path must be one: a folder may be called `last`.
      boolean mustBe =
          path.isAbsolute() || path.getNameCount() > 1 || path.normalize().toString().isEmpty();
      if (!Files.exists(path)) {
        if (Files.isSymbolicLink(path)) throw none(argument, "a link that leads nowhere");
        if (mustBe) throw none(argument, "no such file or directory");
        return null;
      }
      if (Files.isRegularFile(path)) path = path.toAbsolutePath().getParent();
      if (Files.exists(path.resolve(RunDirectory.RUN))) return new RunDirectory(path);
      if (mustBe) throw none(argument, "there is no " + RunDirectory.RUN + " in it");
      return null;
    } catch (InvalidPathException _) {
      return null;
    }
  }

  /** Clears away what killed processes left; what cannot be cleared stays, and does no harm. */
  private void removeStale() throws IOException {
    Instant recent = Instant.now().minus(STALE);
    try (DirectoryStream<Path> drafts =
        Files.newDirectoryStream(folder, WholeFile.TEMPORARY + "*")) {
      for (Path draft : drafts) {
        if (isMine(draft)) continue;
        if (Instant.ofEpochMilli(draft.toFile().lastModified()).isAfter(recent)) continue;
        if (abandoned(draft.resolve(RunDraft.LOCK))) delete(draft);
      }
    }
  }

  private static boolean abandoned(Path lockFile) {
    try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock != null;
    } catch (NoSuchFileException _) {
      return true;
    } catch (IOException | OverlappingFileLockException _) {
      return false;
    }
  }

  /** Deletes a file, or a directory with all it holds, as far as that is allowed. */
  public static void delete(Path directory) {
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failure)
                throws IOException {
              Files.deleteIfExists(folder);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException _) {
      // It is marked as unfinished by its name; the next run tries again.
    }
  }
}
