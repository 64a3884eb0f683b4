package dev.ridgeline.model.store;

import dev.ridgeline.tensor.tune.CacheFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The folder where models are kept once they were made or fetched. A model is there whole or not at
 * all, is made by one process at a time, and is checked against its digest.
 *
 * <p>{@code models} holds them, each with its {@link Stamp}; {@code work} holds what is not
 * finished, and is emptied by whoever comes next; {@code locks} keeps others out meanwhile.
 */
public final class Cache {
  private static final String MODELS = "models";
  private static final String WORK = "work";
  private static final String LOCKS = "locks";

  private final Path folder;

  public Cache(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
  }

  /** Where it is when nobody chose a folder: as the XDG specification says. */
  public static Path usualFolder(Map<String, String> environment) {
    return CacheFolder.usual(environment);
  }

  public Path folder() {
    return folder;
  }

  /** How a model comes to be. */
  interface Maker {
    /**
     * Makes the model in a folder of its own, which is deleted afterwards.
     *
     * @throws Unfinished to keep the folder, so that the next one can go on
     */
    Made make(Path work) throws IOException;
  }

  /**
   * A model that was made.
   *
   * @param digest its SHA-256 if that is known already, else null
   */
  record Made(Path file, String digest) {}

  /** What is there is worth keeping for another try. */
  static final class Unfinished extends IOException {
    Unfinished(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The file of a model, made if it is not there, is damaged, or was made of something else. */
  Path get(ModelName name, String source, Maker maker, Progress progress) {
    Path file = fileOf(name);
    try {
      if (!isGood(file, source, progress)) make(name, source, maker, file, progress);
      Stamp.touch(file);
      return file;
    } catch (Unfinished e) {
      throw new StoreException(e.getMessage(), e);
    } catch (IOException e) {
      throw StoreException.of(file, e);
    }
  }

  /** Where a model is, once it is there. */
  Path fileOf(ModelName name) {
    return folder.resolve(MODELS).resolve(key(name));
  }

  /** Whether {@link #get} would find the model as it is. */
  boolean has(ModelName name, String source) {
    Path file = fileOf(name);
    Stamp stamp = Stamp.read(file);
    try {
      return stamp != null && stamp.source().equals(source) && stamp.fits(file);
    } catch (IOException _) {
      return false;
    }
  }

  private static boolean isGood(Path file, String source, Progress progress) throws IOException {
    Stamp stamp = Stamp.read(file);
    if (stamp == null || !stamp.source().equals(source) || !Files.isRegularFile(file)) return false;
    if (stamp.fits(file)) return true;
    if (Files.size(file) != stamp.size()) return false;
    // Copied or restored, perhaps: what counts is the content.
    progress.step("checking " + stamp.name());
    if (!Sha256.of(file, progress).equals(stamp.digest())) return false;
    renew(stamp, file);
    return true;
  }

  private static void renew(Stamp stamp, Path file) {
    try {
      Stamp.of(stamp.name(), stamp.source(), stamp.digest(), file).write(file);
    } catch (IOException _) {
      // It will be checked again next time; that only takes longer.
    }
  }

  private void make(ModelName name, String source, Maker maker, Path file, Progress progress)
      throws IOException {
    Runnable waiting = () -> progress.step("waiting for another process that makes " + name);
    Path work = folder.resolve(WORK).resolve(key(name));
    try (Lock _ = Lock.take(lockOf(key(name)), waiting)) {
      if (isGood(file, source, progress)) return;
      boolean keep = false;
      try {
        Tree.create(work);
        Made made = maker.make(work);
        put(made, name, source, file, progress);
      } catch (Unfinished e) {
        keep = !Tree.files(work).isEmpty();
        throw e;
      } finally {
        if (!keep) {
          Tree.delete(work);
          Tree.deleteEmpty(work.getParent(), folder);
          Tree.deleteEmpty(file.getParent(), folder);
        }
      }
    }
  }

  private static void put(Made made, ModelName name, String source, Path file, Progress progress)
      throws IOException {
    String digest = made.digest();
    if (digest == null) {
      progress.step("checking " + name);
      digest = Sha256.of(made.file(), progress);
    }
    Stamp stamp = Stamp.of(name.toString(), source, digest, made.file());
    Tree.move(made.file(), file);
    try {
      stamp.write(file);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }

  private Path lockOf(String key) {
    return folder.resolve(LOCKS).resolve(key.replace('/', '+'));
  }

  /** The path of a model in the cache; readable, and different for different names. */
  private static String key(ModelName name) {
    return switch (name) {
      case ModelName.Known n -> n.model().name() + "." + n.type().word() + ".gguf";
      case ModelName.Synthetic n -> "synth/" + n.shape() + "." + n.type().word() + ".gguf";
      case ModelName.OnHub n -> "hf/" + n.owner() + "/" + n.repository() + "/" + n.file();
      case ModelName.OnDisk n -> throw new IllegalArgumentException(n + " is not kept in a cache");
    };
  }

  /**
   * A model in the cache, or what there is of one.
   *
   * @param name in full, or what its path says where no stamp does
   * @param path its file, or the folder of what is not finished
   * @param digest its SHA-256 when it was put there, or null for what is not finished
   */
  public record Entry(String name, Path path, long size, String digest, Instant lastUse) {
    public boolean finished() {
      return digest != null;
    }
  }

  /** Everything that is kept, by name. */
  public List<Entry> entries() {
    requireFolder();
    List<Entry> entries = new ArrayList<>();
    try {
      for (Path file : Tree.files(folder.resolve(MODELS))) {
        if (isModel(file)) entries.add(entry(file));
      }
      Map<Path, List<Path>> unfinished =
          Tree.files(folder.resolve(WORK)).stream()
              .collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.toList()));
      for (var work : unfinished.entrySet()) {
        entries.add(unfinished(work.getKey(), work.getValue()));
      }
    } catch (IOException e) {
      throw StoreException.of(folder, e);
    }
    return entries;
  }

  /** A folder that is not there yet holds no models; a file in its place never will. */
  private void requireFolder() {
    Path there = folder;
    while (there != null && !Files.exists(there)) there = there.getParent();
    if (there != null && Files.isRegularFile(there)) {
      throw new StoreException(there + ": is a file, but models are kept in a folder");
    }
  }

  private Entry unfinished(Path work, List<Path> files) throws IOException {
    long size = 0;
    Instant lastUse = Instant.EPOCH;
    for (Path file : files) {
      size += Files.size(file);
      Instant modified = Files.getLastModifiedTime(file).toInstant();
      if (modified.isAfter(lastUse)) lastUse = modified;
    }
    return new Entry(nameOf(folder.resolve(WORK).relativize(work)), work, size, null, lastUse);
  }

  private static String nameOf(Path key) {
    return key.toString().replaceFirst("^hf/", ModelName.HUB);
  }

  private static boolean isModel(Path file) {
    return file.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(".gguf");
  }

  private Entry entry(Path file) throws IOException {
    Stamp stamp = Stamp.read(file);
    String name = stamp == null ? nameOf(folder.resolve(MODELS).relativize(file)) : stamp.name();
    return new Entry(
        name, file, Files.size(file), stamp == null ? null : stamp.digest(), Stamp.lastUse(file));
  }

  /** Reads a model whole and says whether it is what was put there. */
  public boolean verify(Entry entry, Progress progress) {
    try {
      progress.step("checking " + entry.name());
      return entry.finished() && Sha256.of(entry.path(), progress).equals(entry.digest());
    } catch (IOException e) {
      throw StoreException.of(entry.path(), e);
    }
  }

  /** Deletes a model; waits for a process that is making it. */
  public void delete(Entry entry, Progress progress) {
    boolean isWork = entry.path().startsWith(folder.resolve(WORK));
    String key = folder.resolve(isWork ? WORK : MODELS).relativize(entry.path()).toString();
    Runnable waiting = () -> progress.step("waiting for a process that makes " + entry.name());
    try (Lock _ = Lock.take(lockOf(key), waiting)) {
      if (!isWork) Files.deleteIfExists(Stamp.beside(entry.path()));
      Tree.delete(entry.path());
    } catch (IOException e) {
      throw StoreException.of(entry.path(), e);
    }
  }
}
