package dev.ridgeline.report.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Speedscope's own importer reads four of our formats as what they are. */
@Execution(CONCURRENT)
class SpeedscopeImporterTest {
  @TempDir Path folder;

  @Test
  void speedscopeSeesWhatTheTreeHas() throws IOException, URISyntaxException {
    Path speedscope = fetch();
    // Its importer of Chrome's traces mixes up events that begin and end in the same moment.
    Profile profile = Play.onAFineClock(4);
    Totals time = Totals.of(profile.tree(), Node::selfNanos);
    write("profile.speedscope.json", out -> Speedscope.write(profile, out, Kept.LIMIT_BYTES));
    write("trace.json", out -> ChromeTrace.write(profile, out, Kept.LIMIT_BYTES));
    write("stacks.collapsed", out -> Collapsed.write(profile.tree(), Measure.TIME, out));
    write("cpu.pb.gz", out -> Pprof.cpu(profile, out));
    JsonNode groups = load(speedscope, "profile.speedscope.json", "stacks.collapsed", "cpu.pb.gz");

    JsonNode merged = groups.path(0).path(0);
    assertThat(merged.path("weight").asLong()).isEqualTo(time.all());
    assertThat(numbers(merged.path("self"))).isEqualTo(time.flat());
    assertThat(numbers(merged.path("total"))).isEqualTo(time.cum());
    List<Lane> lanes = profile.lanes();
    assertThat(groups.path(0)).hasSize(2 + lanes.size());
    for (int l = 0; l < lanes.size(); l++) {
      assertThat(groups.path(0).path(2 + l).path("weight").asLong())
          .isEqualTo(lanes.get(l).totalNanos());
    }
    assertThat(groups.path(1).path(0).path("weight").asLong()).isEqualTo(time.all());
    assertThat(groups.path(2).path(0).path("weight").asLong()).isEqualTo(time.all());
    assertThat(numbers(groups.path(2).path(0).path("total"))).isEqualTo(time.cum());

    JsonNode threads = load(speedscope, "trace.json").path(0);
    assertThat(threads).hasSize(lanes.size());
    for (int l = 0; l < lanes.size(); l++) {
      assertThat(threads.path(l).path("name").asString()).contains(lanes.get(l).thread());
      assertThat(threads.path(l).path("weight").asDouble() * 1000)
          .isCloseTo(lanes.get(l).totalNanos(), within(1.0));
    }
  }

  private interface Content {
    void write(OutputStream out) throws IOException;
  }

  private void write(String file, Content content) throws IOException {
    try (OutputStream out = Files.newOutputStream(folder.resolve(file))) {
      content.write(out);
    }
  }

  private JsonNode load(Path speedscope, String... files) throws URISyntaxException {
    Path script = Path.of(getClass().getResource("speedscope.js").toURI());
    List<String> arguments = new java.util.ArrayList<>(List.of(script.toString()));
    arguments.add(speedscope.toString());
    arguments.addAll(List.of(files));
    String output = Program.of("node", "nodejs").run(folder, null, arguments);
    return JsonMapper.shared().readTree(output);
  }

  private static Map<String, Long> numbers(JsonNode byName) {
    Map<String, Long> numbers = new TreeMap<>();
    byName.properties().forEach(p -> numbers.put(p.getKey(), p.getValue().asLong()));
    numbers.values().removeIf(value -> value == 0);
    return numbers;
  }

  /** The npm package, fetched once for each build folder. */
  private static Path fetch() throws IOException {
    Program npm = Program.of("npm", "npm");
    Program.of("node", "nodejs");
    String version = System.getProperty("version.speedscope");
    Path target = Path.of("target", "speedscope-" + version).toAbsolutePath();
    if (Files.exists(target.resolve("package/package.json"))) return target.resolve("package");
    Files.createDirectories(target);
    try {
      npm.run(target, "pack", "--silent", "speedscope@" + version);
    } catch (AssertionError e) {
      assumeTrue(false, "npm cannot fetch speedscope: " + e.getMessage());
    }
    Program.of("tar", "tar").run(target, "xzf", "speedscope-" + version + ".tgz");
    return target.resolve("package");
  }
}
