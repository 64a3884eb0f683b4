package dev.ridgeline.cli.async;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.profiler.AsyncProfiler;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.tensor.tune.CacheFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** async-profiler's native library, taken out of its jar: a JVM loads files alone. */
public final class AsyncLibrary {
  private static final String NAME = "libasyncProfiler.so";

  private AsyncLibrary() {}

  /** The folder of a platform's library inside the jar, or null when there is none for it. */
  static String folder(String system, String processor) {
    String os = system.toLowerCase(Locale.ROOT);
    if (os.startsWith("mac")) return "macos";
    if (!os.equals("linux")) return null;
    return switch (processor) {
      case "amd64", "x86_64" -> "linux-x64";
      case "aarch64" -> "linux-arm64";
      default -> null;
    };
  }

  /** Whether there is a library for this platform. */
  public static boolean isThere() {
    return folderHere() != null;
  }

  private static String folderHere() {
    return folder(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  /** The library as a file, the same at every call. */
  public static Path find() {
    String folder = folderHere();
    if (folder == null) {
      throw new Problem(
          "--sampler async: async-profiler has no library for %s %s; leave it out for JDK Flight"
                  .formatted(System.getProperty("os.name"), System.getProperty("os.arch"))
              + " Recorder");
    }
    try (InputStream in =
        one.profiler.AsyncProfiler.class.getResourceAsStream("/" + folder + "/" + NAME)) {
      if (in == null) throw new IOException("its jar holds no " + folder + "/" + NAME);
      return kept(in.readAllBytes());
    } catch (IOException e) {
      throw new Problem("--sampler async: " + e, e);
    }
  }

  /** Loads the library into this JVM. */
  public static AsyncProfiler load() {
    Path file = find();
    try {
      return one.profiler.AsyncProfiler.getInstance(file.toString())::execute;
    } catch (UnsatisfiedLinkError | IllegalStateException e) {
      throw new Problem("--sampler async: cannot load " + file + ": " + e.getMessage(), e);
    }
  }

  /** Kept where later runs find it; a program that runs may have it loaded, so never in place. */
  private static Path kept(byte[] library) throws IOException {
    Path folder = CacheFolder.ofUser(System.getenv()).resolve("async-profiler");
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      folder = Files.createTempDirectory("ridgeline-");
      folder.toFile().deleteOnExit();
      folder.resolve(NAME).toFile().deleteOnExit();
    }
    Path file = folder.resolve(NAME);
    if (Files.isReadable(file) && Arrays.equals(Files.readAllBytes(file), library)) return file;
    WholeFile.write(file, out -> out.write(library));
    return file;
  }
}
