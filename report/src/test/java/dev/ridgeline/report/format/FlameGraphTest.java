package dev.ridgeline.report.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Level;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

@Execution(CONCURRENT)
class FlameGraphTest {
  private static final DifferenceGraph.Names NAMES = new DifferenceGraph.Names("old", "new");

  private record Box(String name, String facts, String style, double x, double w, int depth) {}

  @Test
  void aBoxIsAsWideAsItsPlaceAndAllBelowIt() throws Exception {
    for (long seed = 0; seed < 20; seed++) {
      CallTree tree = Play.random(seed, Level.TIME).tree();
      double all = tree.root().threadNanos();
      List<Box> boxes = boxes(flame(tree));
      Map<String, Double> widths = new HashMap<>();
      boxes.forEach(box -> widths.merge(box.depth + box.name, box.w, Double::sum));
      Map<String, Double> wanted = new HashMap<>();
      for (Node node : tree.nodes()) {
        double width = node.threadNanos() / all;
        String key = node.depth() + Markup.escape(node.name());
        if (width >= 1e-4) wanted.merge(unescaped(key), width, Double::sum);
      }
      wanted.put("0all threads", 1.0);
      assertThat(widths.keySet()).as("seed %d", seed).isEqualTo(wanted.keySet());
      for (var entry : wanted.entrySet()) {
        assertThat(widths.get(entry.getKey())).isCloseTo(entry.getValue(), within(1e-4));
      }
    }
  }

  @Test
  void aBoxIsAsWideAsWhatItAllocatesAndAllBelowIt() throws Exception {
    for (long seed = 0; seed < 20; seed++) {
      CallTree tree = Play.random(seed, Level.ALLOCATION).tree();
      double all =
          tree.nodes().stream().mapToLong(it -> Math.max(0, it.selfAllocatedBytes())).sum();
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      FlameGraph.write(tree, Measure.ALLOCATION, out);
      double[] rows = new double[100];
      for (Box box : boxes(out.toByteArray())) rows[box.depth] += box.w;
      double[] wanted = new double[100];
      for (Node node : tree.nodes()) {
        double own = Math.max(0, node.selfAllocatedBytes()) / all;
        for (int depth = 0; depth <= node.depth(); depth++) wanted[depth] += own;
      }
      for (int depth = 0; depth < rows.length; depth++) {
        assertThat(rows[depth])
            .as("seed %d, row %d", seed, depth)
            .isCloseTo(wanted[depth], within(2e-3));
      }
      assertThat(out.toString()).contains("allocated ").doesNotContain("thread time");
    }
  }

  private static String unescaped(String text) {
    return text.replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
  }

  @Test
  void boxesOfARowDoNotOverlapAndStandUnderTheirParents() throws Exception {
    for (long seed = 0; seed < 20; seed++) {
      List<Box> boxes = boxes(flame(Play.random(seed, Level.TIME).tree()));
      for (Box box : boxes) {
        if (box.depth == 0) continue;
        assertThat(boxes)
            .as("seed %d: %s", seed, box)
            .filteredOn(other -> other.depth == box.depth - 1)
            .anyMatch(up -> up.x <= box.x + 1e-5 && box.x + box.w <= up.x + up.w + 1e-5);
        assertThat(boxes)
            .filteredOn(other -> other != box && other.depth == box.depth)
            .allMatch(
                other -> other.x + other.w <= box.x + 1e-5 || box.x + box.w <= other.x + 1e-5);
      }
    }
  }

  @Test
  void thePictureNeedsNothingElse() throws Exception {
    String svg = new String(flame(Play.random(1, Level.TIME).tree()));
    assertThat(svg.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http", "@import");
    assertThat(svg).contains("<script>", "prefers-color-scheme: dark", "thread time");
  }

  @Test
  void placesInOneTreeOnlyAreMarkedAndChangesAreColoured() throws Exception {
    for (long seed = 0; seed < 20; seed++) {
      CallTree before = Play.random(seed, Level.TIME).tree();
      CallTree after = Play.random(seed + 1, Level.TIME).tree();
      Difference difference = Difference.of(before, after);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      DifferenceGraph.svg(difference, NAMES, out);
      List<Box> boxes = boxes(out.toByteArray());
      for (Box box : boxes.subList(1, boxes.size())) {
        boolean notBefore = box.facts.contains("self before: not there");
        boolean notAfter = box.facts.contains("self after: not there");
        assertThat(box.style.contains(" new")).isEqualTo(notBefore);
        assertThat(box.style.contains(" gone")).isEqualTo(notAfter);
        if (box.style.contains("more")) assertThat(box.facts).contains("change: +");
        if (box.style.contains("less")) assertThat(box.facts).contains("change: -");
      }
      assertThat(boxes).as("seed %d", seed).anyMatch(box -> box.style.matches(".*(more|less)5.*"));
      assertThat(out.toString())
          .contains("before: old, thread time", "after: new, thread time", "its own run's time");
    }
  }

  @Test
  void thePageListsTheLargestChangesFirst() throws Exception {
    Difference difference =
        Difference.of(Play.random(1, Level.TIME).tree(), Play.random(2, Level.TIME).tree());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    DifferenceGraph.html(difference, NAMES, out);
    String page = out.toString();
    assertThat(page).contains("<svg", "Content-Security-Policy").doesNotContain("{{", "<script>]");
    List<Double> points = new ArrayList<>();
    var cell = java.util.regex.Pattern.compile("<td>([+-]\\d+\\.\\d\\d)</td>").matcher(page);
    while (cell.find()) points.add(Math.abs(Double.parseDouble(cell.group(1))));
    assertThat(points).hasSizeGreaterThan(5);
    assertThat(points).isSortedAccordingTo((a, b) -> Double.compare(b, a));
  }

  private static byte[] flame(CallTree tree) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FlameGraph.write(tree, Measure.TIME, out);
    return out.toByteArray();
  }

  private static List<Box> boxes(byte[] svg) throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg));
    List<Box> boxes = new ArrayList<>();
    var groups = document.getElementsByTagName("g");
    for (int i = 0; i < groups.getLength(); i++) {
      Element group = (Element) groups.item(i);
      if (!group.getAttribute("class").startsWith("box ")) continue;
      String title = group.getElementsByTagName("title").item(0).getTextContent();
      boxes.add(
          new Box(
              title.lines().findFirst().orElse(""),
              title,
              group.getAttribute("class"),
              Double.parseDouble(group.getAttribute("data-x")),
              Double.parseDouble(group.getAttribute("data-w")),
              Integer.parseInt(group.getAttribute("data-d"))));
    }
    return boxes;
  }
}
