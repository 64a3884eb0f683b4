package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Trace;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Execution(CONCURRENT)
class HtmlTest {
  private static final Pattern DATA =
      Pattern.compile("<script type=\"application/json\" id=\"profile\">(.*?)</script>");
  private static final String[] HOSTILE = {
    "</script><img src=x onerror=alert(1)>",
    "<!--<script>",
    "]]>",
    "a\u2028b\u2029c",
    "\"quoted\" 'single' \\back\\",
    "{{report.css}}",
    "プール \uD83D\uDE00 \u202Eright to left",
    "line\nbreak\ttab\u0000nul",
    ""
  };

  @Test
  void thePageNamesNothingOutsideItself() throws IOException {
    String page = page(SampleReports.random(1, 200, 3, Level.TRACE));
    assertThat(page)
        .startsWith("<!DOCTYPE html>")
        .contains("Content-Security-Policy\" content=\"default-src 'none';")
        .doesNotContain("<script src", "@import", "url(", "fetch(", "XMLHttpRequest", "https://");
    Matcher links = Pattern.compile("<link[^>]*href=\"([^\"]*)\"").matcher(page);
    while (links.find()) assertThat(links.group(1)).startsWith("data:");
  }

  @Test
  void noHoleOfTheTemplateIsLeftOpen() throws IOException {
    assertThat(page(SampleReports.named("a"))).doesNotContain("{{");
  }

  @Test
  void everyNodeOfTheTreeIsInTheDataWithItsNumbers() throws IOException {
    for (long seed = 1; seed <= 5; seed++) {
      Report report = SampleReports.random(seed, 300, 4, Level.ALLOCATION);
      JsonNode data = data(page(report));
      List<CallTree.Node> nodes = numbered(report.tree());
      JsonNode columns = data.path("nodes");
      for (int i = 0; i < nodes.size(); i++) {
        CallTree.Node node = nodes.get(i);
        String where = "seed " + seed + ", " + node;
        int name = columns.path("name").path(i).asInt();
        assertThat(data.path("names").path(name).asString()).as(where).isEqualTo(node.name());
        int parent = node.parent() == null ? -1 : nodes.indexOf(node.parent());
        assertThat(columns.path("parent").path(i).asInt()).as(where).isEqualTo(parent);
        assertThat(columns.path("calls").path(i).asLong()).as(where).isEqualTo(node.calls());
        assertThat(columns.path("total").path(i).asLong()).as(where).isEqualTo(node.totalNanos());
        assertThat(columns.path("self").path(i).asLong()).as(where).isEqualTo(node.selfNanos());
        assertThat(columns.path("correctedSelf").path(i).asDouble())
            .as(where)
            .isCloseTo(node.correctedSelfNanos(), within());
        assertThat(columns.path("p99").path(i).asLong())
            .as(where)
            .isEqualTo(node.percentileNanos(0.99));
        assertThat(columns.path("allocated").path(i).asLong())
            .as(where)
            .isEqualTo(node.allocatedBytes());
        assertThat(columns.path("flops").path(i).asLong()).as(where).isEqualTo(node.work().flops());
      }
    }
  }

  @Test
  void hostileNamesStayNames() throws IOException {
    Report report = SampleReports.named(HOSTILE);
    String page = page(report);
    assertThat(page.split("</script", -1)).as("ends of script elements").hasSize(3);
    assertThat(page).doesNotContain("<img", "<!--", "\u2028", "\u2029");
    List<String> names = new ArrayList<>();
    data(page).path("names").forEach(name -> names.add(name.asString()));
    assertThat(names).contains(HOSTILE);
  }

  @Test
  void halfASurrogatePairIsEncodedToo() throws IOException {
    Report named = SampleReports.named("a\uD83Db", "\uD83D\uDE00");
    Report report =
        new Report(
            new Report.Headline("t\uDE00", "", List.of()),
            List.of(),
            List.of(),
            named.profile(),
            named.tree(),
            List.of());
    String page = page(report);
    assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(page)).isTrue();
    assertThat(page).contains("<title>t\uFFFD</title>");
    assertThat(data(page).path("names").toString()).contains("\uD83D\uDE00");
  }

  @Test
  void theTitleIsEscaped() throws IOException {
    Report report = SampleReports.named("a");
    Report hostile =
        new Report(
            new Report.Headline("</title><b>&amp;", "", List.of()),
            List.of(),
            List.of(),
            report.profile(),
            report.tree(),
            List.of());
    assertThat(page(hostile)).contains("<title>&lt;/title&gt;&lt;b&gt;&amp;amp;</title>");
  }

  @Test
  void aColumnInWhichNothingWasRecordedIsLeftOut() throws IOException {
    JsonNode columns = data(page(SampleReports.named("a", "b"))).path("nodes");
    assertThat(columns.propertyNames())
        .contains("calls", "total", "self")
        .doesNotContain("allocated", "selfAllocated", "bytes", "flops", "open");
  }

  @Test
  void anEmptyProfileIsAPageToo() throws IOException {
    Profile some = SampleReports.named("a").profile();
    Profile none =
        new Profile(
            some.level(),
            some.started(),
            some.wallNanos(),
            List.of(),
            List.of(),
            List.of(),
            some.calibration(),
            some.system(),
            List.of(),
            some.slips(),
            some.samples(),
            List.of(),
            Profile.Waits.NONE);
    JsonNode data = data(page(SampleReports.of(none)));
    assertThat(data.path("nodes").path("correctedSelf").size()).isEqualTo(1);
    assertThat(data.path("lanes").isEmpty()).isTrue();
  }

  @Test
  void eventsPointAtTheirPlaceInTheTree() throws IOException {
    for (Profile profile :
        List.of(SampleProfiles.random(11, 300, 4, Level.TRACE), Rehearsal.profile())) {
      JsonNode data = data(page(SampleReports.of(profile)));
      for (int l = 0; l < profile.lanes().size(); l++) {
        Profile.Lane lane = profile.lanes().get(l);
        JsonNode drawn = data.path("lanes").path(l);
        assertThat(drawn.path("node").size()).isEqualTo(lane.trace().size());
        assertThat(drawn.path("dropped").asLong()).isEqualTo(lane.trace().dropped());
        long durations = 0;
        for (JsonNode duration : drawn.path("duration")) durations += duration.asLong();
        long expected = 0;
        for (int e = 0; e < lane.trace().size(); e++) expected += lane.trace().durationNanos(e);
        assertThat(durations).isEqualTo(expected);
        for (int n = 0; n < lane.nodes().size(); n++) {
          int at = drawn.path("at").path(n).asInt();
          int name = data.path("nodes").path("name").path(at).asInt();
          assertThat(data.path("names").path(name).asString())
              .isEqualTo(lane.nodes().get(n).name());
        }
      }
    }
  }

  @Test
  void ofTooManyEventsTheLongestAreKeptAndTheRestCounted() throws IOException {
    Profile some = SampleReports.named("a").profile();
    int events = HtmlTrace.MOST_EVENTS + 1_000;
    long[] values = new long[events * Trace.STRIDE];
    for (int e = 0; e < events; e++) {
      values[e * Trace.STRIDE] = 1;
      values[e * Trace.STRIDE + 1] = e * 10L;
      values[e * Trace.STRIDE + 2] = e % 2_000 == 0 ? 3 : 5 + e % 7;
    }
    Profile.Lane lane = some.lanes().getFirst();
    Profile traced =
        new Profile(
            Level.TRACE,
            some.started(),
            some.wallNanos(),
            List.of(new Profile.Lane(lane.thread(), false, 1, lane.nodes(), Trace.of(4, values))),
            List.of(),
            List.of(),
            some.calibration(),
            some.system(),
            List.of(),
            some.slips(),
            some.samples(),
            List.of(),
            Profile.Waits.NONE);
    JsonNode drawn = data(page(SampleReports.of(traced))).path("lanes").path(0);
    int kept = drawn.path("node").size();
    assertThat(kept).isPositive().isLessThanOrEqualTo(HtmlTrace.MOST_EVENTS);
    assertThat(drawn.path("omitted").asInt()).isEqualTo(events - kept);
    for (JsonNode duration : drawn.path("duration")) assertThat(duration.asLong()).isGreaterThan(3);
  }

  @Test
  void aWriterThatFailsIsToldAsWhatItSaid() {
    Writer full =
        new Writer() {
          @Override
          public void write(char[] text, int offset, int length) throws IOException {
            if (length > 2_000) throw new IOException("no space left");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    assertThatThrownBy(() -> Html.write(SampleReports.random(1, 500, 2, Level.TIME), full))
        .isInstanceOf(IOException.class)
        .hasMessage("no space left");
  }

  private static Offset<Double> within() {
    return Offset.offset(0.051);
  }

  private static List<CallTree.Node> numbered(CallTree tree) {
    List<CallTree.Node> nodes = new ArrayList<>(List.of(tree.root()));
    nodes.addAll(tree.nodes());
    return nodes;
  }

  private static String page(Report report) throws IOException {
    StringWriter out = new StringWriter();
    Html.write(report, out);
    return out.toString();
  }

  private static JsonNode data(String page) {
    Matcher data = DATA.matcher(page);
    assertThat(data.find()).isTrue();
    return JsonMapper.shared().readTree(data.group(1));
  }
}
