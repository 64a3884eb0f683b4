package dev.ridgeline.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A machine made of folders: a copy of the launcher in a source tree, JDKs and a Maven that are
 * scripts, and a PATH with nothing on it but what the launcher may rely on. Its JDKs print how they
 * were called instead of running anything.
 */
final class FakeMachine {
  private static final List<String> TOOLS =
      List.of(
          "bash",
          "cat",
          "cksum",
          "dirname",
          "env",
          "find",
          "grep",
          "head",
          "ln",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "sed",
          "sh",
          "sleep",
          "sort",
          "stty",
          "touch",
          "uname");

  private static final String JAVA =
      """
      #!/bin/sh
      if [ -e "$(dirname "$0")/unstartable" ]; then
        echo "Error occurred during initialization of VM"
        cat "$(dirname "$0")/unstartable"
        exit 1
      fi
      for argument; do
        case $argument in
          -XX:AOTCacheOutput=*)
            [ ! -e "$(dirname "$0")/untrainable" ] || exit 1
            echo cache >"${argument#*=}"
            exit 0 ;;
          -XshowSettings*) echo "    java.home = $(dirname "$(dirname "$0")")" ; exit 0 ;;
        esac
      done
      echo "home $(dirname "$(dirname "$0")")"
      echo "folder $(pwd)"
      echo "locale ${LC_ALL:-}"
      for argument; do echo "<$argument>"; done
      """;

  private static final String MAVEN =
      """
      #!/bin/sh
      mkdir "%1$s/running" || { echo "[ERROR] another Maven writes here" ; exit 1; }
      trap 'rm -r "%1$s/running"' EXIT
      echo "$JAVA_HOME $*" >>"%1$s/builds.txt"
      echo "[INFO] Building Ridgeline cli 0.1.0-SNAPSHOT      [1/1]"
      sleep %2$s
      [ ! -e "%1$s/broken" ] || { echo "[ERROR] it does not compile" ; exit 1; }
      folder=target
      for argument; do
        case $argument in -Dbuild.folder=*) folder=${argument#*=} ;; esac
      done
      mkdir -p "%1$s/cli/$folder/lib" "%1$s/cli/$folder/duckdb"
      for jar in ridgeline.jar lib/part.jar duckdb/duckdb_jdbc.jar; do
        cat "%1$s/cli/src/main/java/Main.java" >"%1$s/cli/$folder/$jar"
      done
      """;

  final Path root;
  final Path home;
  final Path tree;
  private final Path tools;
  private final Map<String, String> environment = new HashMap<>();

  FakeMachine(Path folder) throws IOException {
    root = Files.createDirectories(folder.resolve("root"));
    home = Files.createDirectories(root.resolve("home/a user"));
    tree = Files.createDirectories(home.resolve("the tree"));
    tools = Files.createDirectories(root.resolve("tools"));
    // Scripts, because JUnit warns of every link that leads out of its folder.
    for (String tool : TOOLS) tool(tool, "#!/bin/sh\nexec " + real(tool) + " \"$@\"\n");
    Files.copy(launcher(), tree.resolve("ridgeline"));
    write(tree.resolve("pom.xml"), "<project/>");
    write(tree.resolve("cli/pom.xml"), "<project/>");
    write(tree.resolve("cli/src/main/java/Main.java"), "class Main {}");
    for (String name : System.getenv().keySet()) {
      if (name.contains("JAVA") || name.startsWith("RIDGELINE") || name.startsWith("XDG")) {
        environment.put(name, null);
      }
    }
    set("HOME", home.toString());
    set("PATH", tools.toString());
    set("RIDGELINE_SYSTEM_ROOT", root.toString());
  }

  /** The launcher of this source tree. */
  static Path launcher() {
    return Path.of("").toAbsolutePath().resolveSibling("ridgeline");
  }

  FakeMachine set(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  /**
   * A complete JDK in a folder below the machine's root, or below the home folder for {@code ~}.
   */
  Path jdk(String where, String version) throws IOException {
    Path jdk = jre(where, version, "java.base jdk.incubator.vector jdk.compiler");
    script(jdk.resolve("bin/javac"), "#!/bin/sh\n");
    return jdk;
  }

  Path jre(String where, String version, String modules) throws IOException {
    Path jdk = where.startsWith("~/") ? home.resolve(where.substring(2)) : root.resolve(where);
    write(
        jdk.resolve("release"),
        """
        IMPLEMENTOR="Nobody & Sons"
        JAVA_VERSION="%s"
        MODULES="%s"
        """
            .formatted(version, modules));
    script(jdk.resolve("bin/java"), JAVA);
    return jdk;
  }

  /** Puts a program on the PATH. */
  Path tool(String name, String text) throws IOException {
    return script(tools.resolve(name), text);
  }

  void maven(double seconds) throws IOException {
    tool("mvn", MAVEN.formatted(tree, seconds));
  }

  /** As if Maven had built it, by the command that its build uses. */
  void jar() throws IOException {
    write(tree.resolve("cli/target/ridgeline.jar"), "jar");
    String record = ". ./ridgeline; find_root ./ridgeline; record_sources cli/target/.built";
    var recorded = Outcome.ofShell(tree, environment, record);
    if (recorded.code() != 0) throw new AssertionError(recorded.err());
  }

  List<String> builds() throws IOException {
    Path log = tree.resolve("builds.txt");
    return Files.exists(log) ? Files.readAllLines(log) : List.of();
  }

  Outcome run(String... arguments) {
    return runAs(tree.resolve("ridgeline"), arguments);
  }

  /** Starts the launcher and waits for nothing. */
  Process start() throws IOException {
    var builder =
        new ProcessBuilder(tree.resolve("ridgeline").toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    Outcome.change(builder.environment(), environment);
    return builder.start();
  }

  Outcome runAs(Path launcher, String... arguments) {
    var command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(Arrays.asList(arguments));
    return Outcome.of(root, environment, command);
  }

  static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static Path script(Path file, String text) throws IOException {
    write(file, text);
    if (!file.toFile().setExecutable(true)) throw new IOException("cannot make " + file + " run");
    return file;
  }

  private static Path real(String tool) {
    return Stream.of("/usr/bin", "/bin")
        .map(folder -> Path.of(folder, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + tool + " on this machine"));
  }
}
