package dev.ridgeline.cli.history;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Table;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Text;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Struct;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a query answered.
 *
 * @param columns their names
 * @param rows the values, as the database's driver has them; null for NULL
 * @param more whether there were more rows than were asked for
 */
record SqlAnswer(List<String> columns, List<List<Object>> rows, boolean more) {
  /** A change that breaks readers raises it. */
  private static final int VERSION = 1;

  private static final int WIDEST = 100;
  private static final int MOST_BYTES = 1 << 28;

  /** Asks; a query that is wrong is a {@link Problem}. */
  static SqlAnswer of(Connection connection, String sql, int top) {
    requireOne(connection, sql);
    try (Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) return new SqlAnswer(List.of(), List.of(), false);
      try (ResultSet result = statement.getResultSet()) {
        return read(result, top);
      }
    } catch (SQLException e) {
      throw new Problem("--sql: " + reason(e), e);
    }
  }

  /** Of several queries the database would answer the last alone, and say nothing of the others. */
  private static void requireOne(Connection connection, String sql) {
    String count = "SELECT json_array_length(json_serialize_sql(?), '$.statements')";
    try (PreparedStatement statement = connection.prepareStatement(count)) {
      statement.setString(1, sql);
      try (ResultSet row = statement.executeQuery()) {
        // What is no query, or none that it understands, it says itself.
        if (!row.next() || row.getLong(1) < 2) return;
      }
    } catch (SQLException _) {
      return;
    }
    throw new Problem("--sql: several queries; one at a time");
  }

  /** The database's own words, without the query that follows them. */
  private static String reason(SQLException e) {
    String message = String.valueOf(e.getMessage());
    int query = message.indexOf("\n\nLINE ");
    return query < 0 ? message : message.substring(0, query);
  }

  private static SqlAnswer read(ResultSet result, int top) throws SQLException {
    ResultSetMetaData meta = result.getMetaData();
    List<String> columns = new ArrayList<>();
    for (int i = 1; i <= meta.getColumnCount(); i++) columns.add(meta.getColumnLabel(i));
    List<List<Object>> rows = new ArrayList<>();
    while (result.next()) {
      if (rows.size() == top) return new SqlAnswer(columns, rows, true);
      List<Object> row = new ArrayList<>();
      for (int i = 1; i <= columns.size(); i++) row.add(value(result.getObject(i)));
      rows.add(row);
    }
    return new SqlAnswer(columns, rows, false);
  }

  /**
   * Numbers, truth values, lists, maps, texts, and bytes in hexadecimal; what else there is becomes
   * text.
   */
  private static Object value(Object value) throws SQLException {
    return switch (value) {
      case null -> null;
      case Number number -> number;
      case Boolean truth -> truth;
      case Timestamp moment -> moment.toLocalDateTime().toString();
      case LocalDateTime moment -> moment.toString();
      case Array array -> {
        List<Object> list = new ArrayList<>();
        for (Object each : (Object[]) array.getArray()) list.add(value(each));
        yield list;
      }
      case Map<?, ?> map -> values(map);
      case Struct struct -> values(fields(struct));
      case Blob blob ->
          HexFormat.of().formatHex(blob.getBytes(1, (int) Math.min(blob.length(), MOST_BYTES)));
      default -> value.toString();
    };
  }

  private static Map<String, Object> values(Map<?, ?> map) throws SQLException {
    Map<String, Object> values = new LinkedHashMap<>();
    for (var each : map.entrySet()) {
      values.put(String.valueOf(each.getKey()), value(each.getValue()));
    }
    return values;
  }

  /** By name, which the interface does not tell and the driver's class does. */
  private static Map<?, ?> fields(Struct struct) throws SQLException {
    try {
      return (Map<?, ?>) struct.getClass().getMethod("getMap").invoke(struct);
    } catch (ReflectiveOperationException e) {
      throw new SQLException("a STRUCT without names", e);
    }
  }

  String text() {
    if (columns.isEmpty()) return "";
    List<List<String>> cells = new ArrayList<>();
    cells.add(columns.stream().map(Text::clean).toList());
    for (List<Object> row : rows) {
      cells.add(row.stream().map(value -> Text.clean(shown(value))).toList());
    }
    Integer[] numbers =
        IntStream.range(0, columns.size()).filter(this::isNumeric).boxed().toArray(Integer[]::new);
    String count = Quantity.many(rows.size(), "row") + (more ? ", and more: --top N" : "");
    return Table.of(cells, numbers) + count + "\n";
  }

  private boolean isNumeric(int column) {
    return rows.stream()
        .map(row -> row.get(column))
        .allMatch(v -> v == null || v instanceof Number);
  }

  /** For eyes: six digits that matter, and no more of a text than helps. */
  private static String shown(Object value) {
    return switch (value) {
      case null -> "–";
      case Double real
          when Double.isFinite(real) && Math.abs(real) < 1e6 && real != Math.rint(real) ->
          new BigDecimal(real).round(new MathContext(6)).toPlainString();
      case Double real when Double.isFinite(real) ->
          new BigDecimal(real).setScale(0, RoundingMode.HALF_EVEN).toPlainString();
      default -> Text.fit(plain(value), WIDEST);
    };
  }

  private static String plain(Object value) {
    return switch (value) {
      case null -> "";
      case BigDecimal decimal -> decimal.toPlainString();
      case Map<?, ?> map -> json(map).toString();
      case List<?> list -> json(list).toString();
      default -> value.toString();
    };
  }

  String csv() {
    StringBuilder csv = new StringBuilder();
    if (columns.isEmpty()) return "";
    csv.append(line(columns));
    for (List<Object> row : rows) csv.append(line(row.stream().map(SqlAnswer::plain).toList()));
    return csv.toString();
  }

  private static String line(List<String> cells) {
    return cells.stream().map(SqlAnswer::quoted).collect(Collectors.joining(",", "", "\n"));
  }

  private static String quoted(String cell) {
    boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }

  String json() {
    ObjectNode root = JsonMapper.shared().createObjectNode();
    root.put("schema", "ridgeline.history.sql").put("version", VERSION).put("more", more);
    var names = root.putArray("columns");
    columns.forEach(names::add);
    var list = root.putArray("rows");
    for (List<Object> row : rows) {
      var values = list.addArray();
      for (Object value : row) values.add(json(value));
    }
    return root.toPrettyString() + "\n";
  }

  private static JsonNode json(Object value) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return switch (value) {
      case null -> nodes.nullNode();
      case Boolean truth -> nodes.booleanNode(truth);
      case Double real when !Double.isFinite(real) -> nodes.stringNode(real.toString());
      case Double real -> nodes.numberNode(real);
      case Float real -> json((double) real);
      case BigInteger integer -> nodes.numberNode(integer);
      case BigDecimal decimal -> nodes.numberNode(decimal);
      case Number number -> nodes.numberNode(number.longValue());
      case List<?> list -> {
        var array = nodes.arrayNode();
        list.forEach(each -> array.add(json(each)));
        yield array;
      }
      case Map<?, ?> map -> {
        var object = nodes.objectNode();
        map.forEach((key, each) -> object.set(key.toString(), json(each)));
        yield object;
      }
      default -> nodes.stringNode(value.toString());
    };
  }
}
