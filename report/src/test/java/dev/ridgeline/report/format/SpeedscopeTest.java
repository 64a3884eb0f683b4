package dev.ridgeline.report.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SpeedscopeTest {
  @Test
  void mergedProfilesAreTheTree() throws IOException {
    for (long seed = 0; seed < 30; seed++) {
      Profile profile = Play.random(seed, Level.ALLOCATION);
      JsonNode file = read(profile);
      assertThat(file.path("$schema").asString())
          .isEqualTo("https://www.speedscope.app/file-format-schema.json");
      JsonNode time = file.path("profiles").path(0);
      assertThat(time.path("type").asString()).isEqualTo("sampled");
      assertThat(time.path("endValue").asLong()).isEqualTo(profile.threadNanos());
      Map<List<String>, Long> wanted = new HashMap<>();
      for (Node node : profile.tree().nodes()) {
        if (node.selfNanos() > 0) wanted.merge(node.path(), node.selfNanos(), Long::sum);
      }
      assertThat(stacks(file, time)).as("seed %d", seed).isEqualTo(wanted);
    }
  }

  @Test
  void allocationIsAProfileOfItsOwn() throws IOException {
    Profile profile = Play.random(1, Level.ALLOCATION);
    JsonNode allocated = read(profile).path("profiles").path(1);
    assertThat(allocated.path("unit").asString()).isEqualTo("bytes");
    long known =
        profile.tree().nodes().stream()
            .mapToLong(node -> Math.max(0, node.selfAllocatedBytes()))
            .sum();
    assertThat(allocated.path("endValue").asLong()).isEqualTo(known).isPositive();
    assertThat(read(Play.random(1, Level.TIME)).path("profiles")).hasSize(1);
  }

  @Test
  void eventsAreBalancedAndAddUpThreadByThread() throws IOException {
    for (long seed = 0; seed < 30; seed++) {
      Profile profile = Play.random(seed, Level.TRACE);
      JsonNode file = read(profile);
      List<JsonNode> evented = new ArrayList<>();
      for (JsonNode one : file.path("profiles")) {
        if (one.path("type").asString().equals("evented")) evented.add(one);
      }
      List<Lane> lanes = profile.lanes().stream().filter(lane -> lane.trace().size() > 0).toList();
      assertThat(evented).hasSameSizeAs(lanes);
      for (int i = 0; i < lanes.size(); i++) {
        Lane lane = lanes.get(i);
        assertThat(evented.get(i).path("name").asString()).isEqualTo(lane.thread());
        Edges edges = new Edges("seed " + seed);
        for (JsonNode event : evented.get(i).path("events")) {
          String name = frame(file, event.path("frame").asInt());
          long at = event.path("at").asLong();
          assertThat(at).isLessThanOrEqualTo(evented.get(i).path("endValue").asLong());
          if (event.path("type").asString().equals("O")) edges.begin(name, at);
          else edges.end(name, at);
        }
        Map<Object, Long> wanted = new TreeMap<>();
        lane.nodes().forEach(n -> wanted.merge(n.name(), n.time().totalNanos(), Long::sum));
        assertThat(edges.totals()).as("seed %d", seed).isEqualTo(wanted);
        assertThat(edges.outermost()).isEqualTo(lane.totalNanos());
      }
    }
  }

  private static String frame(JsonNode file, int index) {
    return file.path("shared").path("frames").path(index).path("name").asString();
  }

  private static Map<List<String>, Long> stacks(JsonNode file, JsonNode sampled) {
    Map<List<String>, Long> stacks = new HashMap<>();
    for (int i = 0; i < sampled.path("samples").size(); i++) {
      List<String> stack = new ArrayList<>();
      sampled.path("samples").path(i).forEach(frame -> stack.add(frame(file, frame.asInt())));
      stacks.merge(stack, sampled.path("weights").path(i).asLong(), Long::sum);
    }
    return stacks;
  }

  private static JsonNode read(Profile profile) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Kept kept = Speedscope.write(profile, out, Kept.LIMIT_BYTES);
    assertThat(kept.missing()).isEmpty();
    return JsonMapper.shared().readTree(out.toByteArray());
  }
}
