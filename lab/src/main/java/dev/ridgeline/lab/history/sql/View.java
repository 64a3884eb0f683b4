package dev.ridgeline.lab.history.sql;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A table that can be asked: its columns and their types, as documented in docs/history.md. */
public enum View {
  RUNS(
      "run VARCHAR, started TIMESTAMP, name VARCHAR, title VARCHAR, revision VARCHAR,"
          + " machine VARCHAR, metric VARCHAR, unit VARCHAR, median DOUBLE, units DOUBLE,"
          + " digest VARCHAR, command VARCHAR, workload MAP(VARCHAR;VARCHAR),"
          + " plan MAP(VARCHAR;VARCHAR), conditions MAP(VARCHAR;VARCHAR)"),
  SAMPLES(
      "run VARCHAR, metric VARCHAR, unit VARCHAR, better VARCHAR, position INTEGER, value DOUBLE"),
  SCOPES(
      "run VARCHAR, path VARCHAR, name VARCHAR, depth INTEGER, task BOOLEAN, calls BIGINT,"
          + " self_ns BIGINT, running_ns BIGINT, lock_ns BIGINT, parked_ns BIGINT, sleep_ns BIGINT,"
          + " io_ns BIGINT, other_ns BIGINT, total_ns BIGINT, self_allocated_bytes BIGINT,"
          + " allocated_bytes BIGINT, bytes BIGINT, flops BIGINT, ops BIGINT"),
  MACHINES(
      "machine VARCHAR, line VARCHAR, cpu VARCHAR, microarchitecture VARCHAR, cores INTEGER,"
          + " memory_bytes BIGINT, limit_cpus DOUBLE, limit_memory_bytes BIGINT, os VARCHAR,"
          + " jvm VARCHAR, java VARCHAR, jit VARCHAR, gc VARCHAR, heap_bytes BIGINT,"
          + " flags VARCHAR");

  private final Map<String, String> columns = new LinkedHashMap<>();

  View(String declaration) {
    for (String column : declaration.split(", ")) {
      String[] words = column.split(" ", 2);
      // The separator inside a type is no end of a column.
      columns.put(words[0], words[1].replace(";", ", "));
    }
  }

  /** Its name in a query. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Its columns, in order. */
  public List<String> columns() {
    return List.copyOf(columns.keySet());
  }

  String declaration() {
    return columns.entrySet().stream()
        .map(column -> column.getKey() + " " + column.getValue())
        .collect(Collectors.joining(", "));
  }

  /** As the reader of JSON wants it. */
  String types() {
    return columns.entrySet().stream()
        .map(column -> column.getKey() + ": '" + column.getValue() + "'")
        .collect(Collectors.joining(", ", "{", "}"));
  }
}
