package dev.ridgeline.oracle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program of this class path in a JVM with options of its own, started at once.
 *
 * <p>{@link #INTERPRETED} is for what allocates: an interpreter does all that code says and nothing
 * else, where compilers leave out and put back in what they please, whenever they please. What
 * allocates nothing there allocates nothing anywhere, unless it uses the Vector API.
 */
public final class OtherJvm implements AutoCloseable {
  public static final List<String> INTERPRETED =
      List.of(
          "-Xint",
          // Else Java makes a better form of a method handle once it was called often enough, at
          // 127 calls for instance, and of a branch that one has.
          "-Djava.lang.invoke.MethodHandle.CUSTOMIZE_THRESHOLD=-1",
          "-Djava.lang.invoke.MethodHandle.DONT_INLINE_THRESHOLD=-1",
          "-Djava.lang.invoke.MethodHandle.PROFILE_GWT=false");

  private static final String INCUBATOR =
      "WARNING: Using incubator modules: jdk.incubator.vector\n";

  private static final int MINUTES = 5;

  private final Process process;

  public OtherJvm(List<String> options, Class<?> program, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xlog:disable",
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** All it says until its end; an exit code that is not 0 is an AssertionError with all that. */
  public String said() {
    try (this) {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) throw new AssertionError("hangs: " + said);
      if (process.exitValue() != 0) throw new AssertionError(said);
      return said.replace(INCUBATOR, "");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
