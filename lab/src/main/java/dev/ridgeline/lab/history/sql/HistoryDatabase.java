package dev.ridgeline.lab.history.sql;

import dev.ridgeline.lab.history.History.Kept;
import dev.ridgeline.lab.history.index.RunIndex;
import dev.ridgeline.lab.history.index.RunIndex.Reading;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.profiler.file.Interruption;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import tools.jackson.core.exc.JacksonIOException;

/**
 * The runs of a folder as tables ({@link View}) of DuckDB, for reading only.
 *
 * <p>The tables are a file beside the index that can be made again from the runs. It is never
 * changed: where runs have come or gone, a copy is, which then takes its place. Who still reads the
 * old one is not disturbed.
 */
public final class HistoryDatabase implements AutoCloseable {
  /** Raised whenever the tables are others. */
  private static final int FORMAT = 3;

  private final Runs runs;
  private final Connection connection;
  private final Consumer<String> warning;
  private final Interruption tidying;

  /** Where files are made; null while there are none. */
  private volatile Path work;

  private HistoryDatabase(Runs runs, Driver driver, Consumer<String> warning) throws SQLException {
    this.runs = runs;
    this.warning = warning;
    Properties settings = new Properties();
    settings.setProperty("autoinstall_known_extensions", "false");
    settings.setProperty("autoload_known_extensions", "false");
    settings.setProperty("temp_directory", "");
    this.connection = driver.connect("jdbc:duckdb:", settings);
    this.tidying = Interruption.tidies(this::tidy);
  }

  /**
   * Opens the tables, brought up to date.
   *
   * @param driver of DuckDB
   * @param reading told of the runs that are read anew
   * @param warning takes a line about each run, or profile, that cannot be read
   */
  public static HistoryDatabase open(
      Runs runs, Driver driver, Reading reading, Consumer<String> warning) throws SQLException {
    List<String> warnings = new ArrayList<>();
    HistoryDatabase database;
    try {
      database = open(runs, driver, reading, warnings::add, true);
    } catch (IOException | SQLException | JacksonIOException _) {
      // The runs may belong to somebody else, or their disk is full. What could not be written to
      // its end is of no use any more, and neither is the connection.
      warnings.clear();
      try {
        database = open(runs, driver, reading, warnings::add, false);
      } catch (JacksonIOException e) {
        throw FileException.of(RunIndex.folder(runs), e.getCause());
      } catch (IOException e) {
        throw FileException.of(RunIndex.folder(runs), e);
      }
    }
    warnings.forEach(warning);
    return database;
  }

  private static HistoryDatabase open(
      Runs runs, Driver driver, Reading reading, Consumer<String> warning, boolean beside)
      throws SQLException, IOException {
    HistoryDatabase database = new HistoryDatabase(runs, driver, warning);
    try {
      database.attach(reading, beside);
      database.lock();
      return database;
    } catch (SQLException | IOException | RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /** Beside the index, so that files can be moved there, or elsewhere. */
  private Path workFolder(boolean beside) throws IOException {
    Path index = RunIndex.folder(runs);
    return beside
        ? Files.createTempDirectory(Files.createDirectories(index), ".tmp-")
        : Files.createTempDirectory("ridgeline-history-");
  }

  private void attach(Reading reading, boolean beside) throws SQLException, IOException {
    TableFile file = new TableFile(RunIndex.folder(runs));
    Path kept = file.find();
    Map<String, String> known = kept == null ? null : states(kept);
    boolean anew = known == null;
    Map<String, String> there = new HashMap<>();
    for (Runs.Entry entry : runs.entries()) there.put(entry.name(), entry.state());
    Set<String> added = new HashSet<>(there.values());
    Set<String> gone = anew ? new HashSet<>() : new HashSet<>(known.keySet());
    if (!anew) added.removeAll(known.keySet());
    there.values().forEach(gone::remove);
    List<Kept> unknown = List.of();
    if (!added.isEmpty()) {
      RunIndex index = RunIndex.of(runs, reading);
      index.damaged().forEach(warning);
      unknown = index.in(added);
    }
    if (anew || !gone.isEmpty() || !unknown.isEmpty()) {
      if (!anew) execute("DETACH history");
      // Where there are no runs, nothing is left behind.
      work = workFolder(beside && !there.isEmpty());
      Path changed = work.resolve("tables");
      if (!anew) Files.copy(kept, changed);
      execute("ATTACH " + quoted(changed) + " AS history");
      if (anew) create();
      remove(gone);
      add(unknown, there, reading);
      execute("CHECKPOINT history"); // so that no log is left behind
      execute("DETACH history");
      attachForReading(file.keep(changed));
      known = states();
    }
    known.values().stream().filter(damage -> !damage.isEmpty()).forEach(warning);
    execute("USE history");
  }

  /** What runs a file holds, by their state, and it stays attached; null where it is none. */
  private Map<String, String> states(Path file) {
    try {
      attachForReading(file);
      if (number("SELECT format FROM history.internal.about") == FORMAT) return states();
    } catch (SQLException _) {
      // Of another version of DuckDB, or another process has just replaced it.
    }
    try {
      execute("DETACH DATABASE IF EXISTS history");
    } catch (SQLException _) {
      // It was never attached.
    }
    return null;
  }

  private Map<String, String> states() throws SQLException {
    Map<String, String> states = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT state, damage FROM history.internal.kept")) {
      while (rows.next()) states.put(rows.getString(1), rows.getString(2));
    }
    return states;
  }

  private void create() throws SQLException {
    execute("CREATE SCHEMA history.internal");
    execute("CREATE TABLE history.internal.about AS SELECT " + FORMAT + " AS format");
    execute("CREATE TABLE history.internal.kept (state VARCHAR, run VARCHAR, damage VARCHAR)");
    for (View view : View.values()) {
      execute("CREATE TABLE history.%s (%s)".formatted(view.word(), view.declaration()));
    }
  }

  private void remove(Set<String> gone) throws SQLException {
    if (gone.isEmpty()) return;
    execute("CREATE TEMP TABLE gone (state VARCHAR)");
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO gone VALUES (?)")) {
      for (String state : gone) {
        insert.setString(1, state);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    String those =
        " IN (SELECT run FROM history.internal.kept WHERE state IN (SELECT state FROM gone))";
    for (View view : List.of(View.RUNS, View.SAMPLES, View.SCOPES)) {
      execute("DELETE FROM history." + view.word() + " WHERE run" + those);
    }
    execute("DELETE FROM history.internal.kept WHERE state IN (SELECT state FROM gone)");
    execute("DELETE FROM history.machines WHERE machine NOT IN (SELECT machine FROM history.runs)");
    execute("DROP TABLE gone");
  }

  private void add(List<Kept> unknown, Map<String, String> states, Reading reading)
      throws SQLException, IOException {
    if (unknown.isEmpty()) return;
    List<String[]> kept = new ArrayList<>();
    try (Rows rows = new Rows(work)) {
      AtomicInteger done = new AtomicInteger();
      unknown.parallelStream()
          .forEach(
              each -> {
                Rows.Scopes scopes = Rows.Scopes.of(each);
                String name = each.directory().name();
                synchronized (rows) {
                  rows.add(each, scopes);
                  String damage = scopes.damage() == null ? "" : scopes.damage();
                  kept.add(new String[] {states.get(name), name, damage});
                }
                reading.at(done.incrementAndGet(), unknown.size());
              });
      rows.close();
      for (View view : View.values()) {
        execute(
            """
            INSERT INTO history.%s SELECT * FROM read_json(%s, format = 'newline_delimited',
            columns = %s)%s\
            """
                .formatted(
                    view.word(),
                    quoted(rows.file(view)),
                    view.types(),
                    view == View.MACHINES
                        ? " WHERE machine NOT IN (SELECT machine FROM history.machines)"
                        : ""));
        Files.delete(rows.file(view));
      }
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO history.internal.kept VALUES (?, ?, ?)")) {
      for (String[] row : kept) {
        for (int i = 0; i < row.length; i++) insert.setString(i + 1, row[i]);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private void attachForReading(Path file) throws SQLException {
    execute("ATTACH " + quoted(file) + " AS history (READ_ONLY)");
  }

  /** From here on no statement reaches a file or the network. */
  private void lock() throws SQLException {
    execute("SET enable_external_access = false");
    // Which alone would allow the file of tables itself, and a log beside it.
    execute("SET disabled_filesystems = 'LocalFileSystem'");
    execute("SET lock_configuration = true");
  }

  /** Who asks: whatever is asked here changes no file. */
  public Connection connection() {
    return connection;
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private long number(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getLong(1) : -1;
    }
  }

  private static String quoted(Path file) {
    return "'" + file.toAbsolutePath().toString().replace("'", "''") + "'";
  }

  private void tidy() {
    if (work != null) Runs.delete(work);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException _) {
      // It was for reading alone.
    }
    tidy();
    tidying.close();
  }
}
