package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A finished table: every format draws the same cells.
 *
 * @param title its heading
 * @param head what stands over the names
 * @param columns what stands over the cells
 * @param notes sentences below it
 */
record Table(String title, String head, List<String> columns, List<Row> rows, List<String> notes) {
  /**
   * A row.
   *
   * @param node the place it is about, by which it is named; null for none
   * @param name its name; of a place, the marks after its path
   * @param depth how far it is inside the whole, 0 for the whole itself
   * @param share of the whole, for a bar
   */
  record Row(Node node, String name, int depth, double share, List<String> cells) {
    /** A row that is no place. */
    Row(String name, double share, List<String> cells) {
      this(null, name, 1, share, cells);
    }

    private String whole() {
      return node == null ? Text.clean(name) : PathLabels.full(node) + name;
    }
  }

  /** A table of places and what columns say of them. */
  static Table of(String title, String head, List<Node> nodes, List<Column> columns, Report of) {
    List<Cells> cells = Cells.of(columns, nodes, of);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      int row = i;
      double most = cells.isEmpty() ? 0 : cells.getFirst().most();
      double share = most > 0 ? cells.getFirst().values()[i] / most : 0;
      List<String> texts = cells.stream().map(column -> column.texts().get(row)).toList();
      rows.add(new Row(nodes.get(i), Explanation.mark(nodes.get(i), of), 1, share, texts));
    }
    return new Table(title, head, cells.stream().map(Cells::title).toList(), rows, List.of());
  }

  /** The names of its rows, each in at most {@code width} cells. */
  List<String> names(int width) {
    if (rows.stream().anyMatch(row -> row.node == null)) {
      return rows.stream().map(row -> Text.fitEnd(row.whole(), width)).toList();
    }
    int marks = rows.stream().mapToInt(row -> Text.width(row.name)).max().orElse(0);
    List<String> paths = PathLabels.fit(rows.stream().map(Row::node).toList(), width - marks);
    return IntStream.range(0, paths.size()).mapToObj(i -> paths.get(i) + rows.get(i).name).toList();
  }

  /**
   * The table as text, of columns those that fit.
   *
   * @param least cells for names that no column may take
   */
  List<String> lines(Console.Style style, int least) {
    int name = style.width() - 2;
    List<Integer> widths = new ArrayList<>();
    for (int c = 0; c < columns.size(); c++) {
      int width = Text.width(columns.get(c));
      for (Row row : rows) width = Math.max(width, Text.width(row.cells.get(c)));
      if (name - width - 2 < least) break;
      widths.add(width);
      name -= width + 2;
    }
    int longest = Text.width(head);
    for (Row row : rows) longest = Math.max(longest, Text.width(row.whole()));
    name = Math.min(name, longest);
    List<String> lines = new ArrayList<>();
    lines.add(Ink.DIM.on(line(Text.fit(head, name), name, columns, widths), style.colour()));
    List<String> names = names(name);
    for (int i = 0; i < rows.size(); i++) {
      lines.add(line(names.get(i), name, rows.get(i).cells, widths));
    }
    return lines;
  }

  private static String line(String name, int width, List<String> cells, List<Integer> widths) {
    StringBuilder line = new StringBuilder("  ").append(Text.left(name, width));
    for (int c = 0; c < widths.size(); c++) {
      line.append("  ").append(Text.right(cells.get(c), widths.get(c)));
    }
    return line.toString().stripTrailing();
  }
}
