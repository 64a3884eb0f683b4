package dev.ridgeline.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** The agent and the program share a JVM and nothing else. */
@Execution(CONCURRENT)
class IsolationIT {
  @TempDir Path folder;

  @BeforeEach
  void needsACompiler() {
    assumeThat(ToolProvider.getSystemJavaCompiler()).as("a JDK with a compiler").isNotNull();
  }

  @Test
  void aProgramWithAnotherProfilerAndAnotherJacksonKeepsThem() throws Exception {
    Path classes =
        compile(
            Map.of(
                "dev/ridgeline/profiler/Profiler.java",
                """
                package dev.ridgeline.profiler;
                public final class Profiler {
                  public static String version() { return "another profiler"; }
                }
                """,
                "tools/jackson/core/json/JsonFactory.java",
                """
                package tools.jackson.core.json;
                public class JsonFactory {
                  public String version() { return "another jackson"; }
                }
                """,
                "app/Main.java",
                """
                package app;
                public class Main {
                  public static void main(String[] args) {
                    System.out.println(work());
                  }
                  static String work() {
                    return dev.ridgeline.profiler.Profiler.version() + ", "
                        + new tools.jackson.core.json.JsonFactory().version();
                  }
                }
                """));
    var ended = target().run("scope=app.**", "-cp", classes.toString(), "app.Main");
    assertThat(ended.out().strip()).isEqualTo("another profiler, another jackson");
    assertThat(ended.tree().find("Main.main", "Main.work").calls()).isEqualTo(1);
  }

  /** Such a program has neither java.management nor the unnamed module in sight. */
  @Test
  void aProgramMadeOfModulesCanBeRecorded() throws Exception {
    Path classes =
        compile(
            Map.of(
                "module-info.java",
                "module app { }",
                "app/Main.java",
                """
                package app;
                public class Main {
                  public static void main(String[] args) throws Exception {
                    for (int i = 0; i < 3; i++) work();
                    var thread = Thread.ofVirtual().start(Main::work);
                    thread.join();
                    System.out.println(ModuleLayer.boot().findModule("java.management").isPresent());
                  }
                  static void work() { new Main(); helper(); }
                  Main() { helper(); }
                  static int helper() {
                    int sum = 0;
                    for (int i = 0; i < 9; i++) sum += i;
                    return sum;
                  }
                }
                """));
    var ended = target().run("scope=app.**", "-p", classes.toString(), "-m", "app/app.Main");
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.tree().find("Main.main", "Main.work").calls()).isEqualTo(3);
    assertThat(ended.tree().find("Main.main", "task", "Main.work").calls()).isEqualTo(1);
    assertThat(ended.run().run().title()).isEqualTo("Main");
  }

  @Test
  void classLoadersOfTheProgramFindTheHooks() throws Exception {
    Path plugin =
        compile(
            Map.of(
                "plug/In.java",
                """
                package plug;
                public class In implements Runnable {
                  public void run() { for (int i = 0; i < 5; i++) step(i); }
                  static int step(int n) { return Integer.toString(n).length(); }
                }
                """));
    Path classes =
        compile(
            Map.of(
                "app/Main.java",
                """
                package app;
                import java.net.*;
                public class Main {
                  public static void main(String[] args) throws Exception {
                    URL[] where = {java.nio.file.Path.of(args[0]).toUri().toURL()};
                    // One that asks the platform first, and one that asks nobody but the boot loader.
                    for (ClassLoader parent : new ClassLoader[] {ClassLoader.getPlatformClassLoader(), null}) {
                      try (var loader = new URLClassLoader(where, parent)) {
                        ((Runnable) loader.loadClass("plug.In").getConstructor().newInstance()).run();
                      }
                    }
                  }
                }
                """));
    var ended =
        target().run("scope=plug.**", "-cp", classes.toString(), "app.Main", plugin.toString());
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.tree().find("In.run", "In.step").calls()).isEqualTo(10);
  }

  /** As in OSGi: a loader that passes on nothing but java.*. */
  @Test
  void aClassLoaderThatHidesTheHooksIsLeftAloneAndSaid() throws Exception {
    Path classes =
        compile(
            Map.of(
                "plug/In.java",
                """
                package plug;
                public class In implements Runnable {
                  public void run() { System.out.println(Integer.toString(5)); }
                }
                """,
                "app/Main.java",
                """
                package app;
                public class Main {
                  public static void main(String[] args) throws Exception {
                    var loader = new ClassLoader(null) {
                      protected Class<?> loadClass(String name, boolean resolve)
                          throws ClassNotFoundException {
                        if (name.startsWith("java.")) return super.loadClass(name, resolve);
                        if (!name.startsWith("plug.")) throw new ClassNotFoundException(name);
                        try (var in = Main.class.getResourceAsStream("/plug/In.class")) {
                          byte[] bytes = in.readAllBytes();
                          return defineClass(name, bytes, 0, bytes.length);
                        } catch (java.io.IOException e) { throw new ClassNotFoundException(name); }
                      }
                    };
                    ((Runnable) loader.loadClass("plug.In").getConstructor().newInstance()).run();
                  }
                }
                """));
    var ended = target().run("scope=plug.**", "-cp", classes.toString(), "app.Main");
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.out().strip()).isEqualTo("5");
    assertThat(ended.err()).contains("1 class could not be woven", "plug.In", "hides");
  }

  private Target target() {
    return new Target(folder);
  }

  private Path compile(Map<String, String> sources) throws Exception {
    Path root = Files.createTempDirectory(folder, "app");
    List<String> arguments = new ArrayList<>(List.of("-d", root.resolve("classes").toString()));
    for (var source : sources.entrySet()) {
      Path file = root.resolve("src").resolve(source.getKey());
      Files.createDirectories(file.getParent());
      Files.writeString(file, source.getValue());
      arguments.add(file.toString());
    }
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(code).isZero();
    return root.resolve("classes");
  }
}
