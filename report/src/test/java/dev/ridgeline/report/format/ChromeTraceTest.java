package dev.ridgeline.report.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Trace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Execution(CONCURRENT)
class ChromeTraceTest {
  private static final JsonMapper EXACT =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  @Test
  void slicesAreTheLanesToTheNanosecond() throws IOException {
    for (long seed = 0; seed < 30; seed++) {
      Profile profile = Play.random(seed, Level.TRACE);
      JsonNode events = read(profile).path("traceEvents");
      for (int l = 0; l < profile.lanes().size(); l++) {
        Lane lane = profile.lanes().get(l);
        Map<String, Long> totals = new TreeMap<>();
        Map<String, Long> works = new TreeMap<>();
        for (JsonNode slice : of(events, "X", l + 1)) {
          String name = slice.path("name").asString();
          totals.merge(name, nanos(slice.path("dur")), Long::sum);
          works.merge(name, slice.path("args").path("bytes").asLong(0), Long::sum);
        }
        Map<String, Long> wanted = new TreeMap<>();
        Map<String, Long> bytes = new TreeMap<>();
        for (Profile.Node node : lane.nodes()) {
          wanted.merge(node.name(), node.time().totalNanos(), Long::sum);
          bytes.merge(node.name(), node.work().bytes(), Long::sum);
        }
        assertThat(totals).as("seed %d", seed).isEqualTo(wanted);
        assertThat(works).as("seed %d", seed).isEqualTo(bytes);
        assertThat(of(events, "M", l + 1)).hasSize(1);
      }
    }
  }

  @Test
  void arrowsLeadFromAnOpenCallToTheTaskThatItHandedOver() throws IOException {
    long arrows = 0;
    for (long seed = 0; seed < 30; seed++) {
      Profile profile = Play.random(seed, Level.TRACE);
      JsonNode events = read(profile).path("traceEvents");
      Map<Long, JsonNode> starts = new HashMap<>();
      for (JsonNode one : events) {
        if (one.path("ph").asString().equals("s")) starts.put(one.path("id").asLong(), one);
      }
      Set<Long> ids = new HashSet<>();
      for (JsonNode end : events) {
        if (!end.path("ph").asString().equals("f")) continue;
        arrows++;
        assertThat(ids.add(end.path("id").asLong())).isTrue();
        JsonNode start = starts.get(end.path("id").asLong());
        long at = nanos(end.path("ts"));
        assertThat(nanos(start.path("ts"))).isEqualTo(at);
        assertThat(of(events, "X", end.path("tid").asInt()))
            .anyMatch(slice -> nanos(slice.path("ts")) == at);
        assertThat(of(events, "X", start.path("tid").asInt()))
            .anyMatch(
                slice ->
                    nanos(slice.path("ts")) <= at
                        && at <= nanos(slice.path("ts")) + nanos(slice.path("dur")));
      }
      assertThat(ids).as("seed %d", seed).hasSize((int) tasks(profile));
    }
    assertThat(arrows).isGreaterThan(100);
  }

  private static long tasks(Profile profile) {
    long tasks = 0;
    for (Lane lane : profile.lanes()) {
      Trace trace = lane.trace();
      for (int e = 0; e < trace.size(); e++) if (trace.handedOverBy(e) >= 0) tasks++;
    }
    return tasks;
  }

  @Test
  void timesAreMicrosecondsWithThreeDecimals() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ChromeTrace.write(Play.random(2, Level.TRACE), out, Kept.LIMIT_BYTES);
    assertThat(out.toString()).containsPattern("\"ts\":\\d+\\.\\d{3}[,}]");
    assertThat(EXACT.readTree(out.toByteArray()).path("otherData").path("started").asString())
        .isEqualTo("2026-11-15T10:00:00.123456789Z");
  }

  private static List<JsonNode> of(JsonNode events, String phase, int thread) {
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode event : events) {
      if (event.path("ph").asString().equals(phase) && event.path("tid").asInt() == thread) {
        found.add(event);
      }
    }
    return found;
  }

  private static long nanos(JsonNode micros) {
    BigDecimal value = micros.decimalValue();
    return value.movePointRight(3).longValueExact();
  }

  private static JsonNode read(Profile profile) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ChromeTrace.write(profile, out, Kept.LIMIT_BYTES);
    return EXACT.readTree(out.toByteArray());
  }
}
