package dev.ridgeline.cli.history;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.tensor.tune.CacheFolder;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.util.Locale;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The embedded database, loaded when it is asked for and not before: its jar is larger than all of
 * ridgeline and lies beside the others, not among them.
 *
 * <p>Left to itself it would unpack a library of 70 MB into the temporary folder at every start,
 * and leave it there when killed. Here that is unpacked once, into the cache.
 */
final class DuckDb {
  private static final String DRIVER = "org.duckdb.DuckDBDriver";
  private static final String NATIVE = "org.duckdb.DuckDBNative";
  private static final String LIBRARY = "duckdb_java";
  private static final String JAR = "duckdb_jdbc";

  /** Beside ridgeline.jar. */
  private static final String FOLDER = "duckdb";

  private DuckDb() {}

  private static Driver driver;

  /** The database's driver, always the same: no JVM loads a library for two class loaders. */
  static synchronized Driver driver() {
    if (driver == null) driver = load();
    return driver;
  }

  private static Driver load() {
    Path jar = jar(System.getProperty("java.class.path"));
    if (jar == null) {
      throw new Problem("--sql: DuckDB's jar is missing: build it with mvn -pl cli -am package");
    }
    try (Library library = Library.of(jar)) {
      Loader loader = new Loader(jar, library);
      Class.forName(NATIVE, true, loader); // while the library's file is there
      return (Driver) loader.loadClass(DRIVER).getDeclaredConstructor().newInstance();
    } catch (IOException e) {
      throw Problem.of(e);
    } catch (ReflectiveOperationException | LinkageError e) {
      Throwable cause = e;
      while (cause.getCause() != null) cause = cause.getCause();
      throw new Problem("--sql: cannot load DuckDB: " + cause, e);
    }
  }

  /** The jar beside the first of the class path, or in it where tests run; null for none. */
  static Path jar(String classPath) {
    String[] entries = classPath.split(File.pathSeparator);
    for (String entry : entries) {
      Path path = Path.of(entry);
      if (path.getFileName() != null && isJar(path)) return path;
    }
    Path folder = Path.of(entries[0]).toAbsolutePath().resolveSibling(FOLDER);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, JAR + "*.jar")) {
      for (Path file : files) return file;
    } catch (IOException _) {
      // There is none.
    }
    return null;
  }

  private static boolean isJar(Path path) {
    String name = path.getFileName().toString();
    return name.startsWith(JAR) && name.endsWith(".jar");
  }

  /** Shows the driver its library as an installed one, and not as a part of the jar. */
  private static final class Loader extends URLClassLoader {
    private final Library library;

    Loader(Path jar, Library library) throws MalformedURLException {
      super(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
      this.library = library;
    }

    @Override
    public URL getResource(String name) {
      return library != null && name.equals(library.name) ? null : super.getResource(name);
    }

    @Override
    protected String findLibrary(String name) {
      return library != null && name.equals(LIBRARY) ? library.file.toString() : null;
    }
  }

  /**
   * The native library as a file.
   *
   * @param name in the jar
   * @param file that was unpacked
   * @param kept whether later starts find it there
   */
  private record Library(String name, Path file, boolean kept) implements AutoCloseable {

    private static final long STALE_MILLIS = 3_600_000;

    /** That of this platform; null where the jar has none, which the driver then says. */
    static Library of(Path jar) throws IOException {
      try (JarFile file = new JarFile(jar.toFile())) {
        String name = "lib" + LIBRARY + ".so_" + platform();
        JarEntry entry = file.getJarEntry(name);
        if (entry == null) return null;
        // Named by its contents: another version is another file.
        String own = "%s-%08x".formatted(name, entry.getCrc());
        Path folder = CacheFolder.ofUser(System.getenv()).resolve(FOLDER);
        Path kept = folder.resolve(own);
        if (Files.isReadable(kept) && Files.size(kept) == entry.getSize()) {
          return new Library(name, kept, true);
        }
        try (InputStream in = file.getInputStream(entry)) {
          return unpack(name, in, folder, kept);
        }
      }
    }

    private static Library unpack(String name, InputStream in, Path folder, Path kept)
        throws IOException {
      Path file = kept;
      try {
        Files.createDirectories(folder);
        // Earlier versions, and what killed processes left; not what another unpacks just now.
        long recent = System.currentTimeMillis() - STALE_MILLIS;
        try (DirectoryStream<Path> old = Files.newDirectoryStream(folder)) {
          for (Path each : old) if (each.toFile().lastModified() < recent) Files.delete(each);
        }
        if (!Files.isWritable(folder)) throw new AccessDeniedException(folder.toString());
      } catch (IOException _) {
        file = Files.createTempFile("ridgeline-", ".so");
      }
      WholeFile.write(file, in::transferTo);
      return new Library(name, file, file == kept);
    }

    private static String platform() {
      String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
      String processor = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
      boolean arm = processor.equals("aarch64") || processor.equals("arm64");
      return (system.startsWith("mac") ? "macos" : system) + "_" + (arm ? "arm64" : "amd64");
    }

    /** Once it is loaded, a file that nobody will find again is needed no more. */
    @Override
    public void close() throws IOException {
      if (!kept) Files.deleteIfExists(file);
    }
  }
}
