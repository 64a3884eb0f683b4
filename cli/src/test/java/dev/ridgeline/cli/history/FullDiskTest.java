package dev.ridgeline.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.history.index.RunIndex.Reading;
import dev.ridgeline.lab.history.sql.HistoryDatabase;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDraft;
import dev.ridgeline.report.run.Runs;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables are made elsewhere where there is no room beside the runs. */
class FullDiskTest {
  @TempDir private Path folder;
  private boolean full = true;

  @Test
  void aQueryIsAnsweredWhereTheTablesCannotBeKept() throws Exception {
    Runs runs = new Runs(folder.resolve("runs"));
    Run run =
        new Run(
            "embed",
            "embed",
            Instant.EPOCH,
            List.of("ridgeline"),
            List.of(),
            Machine.here(),
            "",
            Map.of(),
            Map.of(),
            Map.of(),
            "",
            List.of(Metric.of("embedded", "texts/s", Better.HIGHER, 1, 2)),
            List.of(),
            0,
            Ceilings.NONE);
    try (RunDraft draft = runs.begin("embed", Instant.EPOCH)) {
      draft.write(run);
      draft.commit();
    }
    Driver driver = failing(Driver.class, DuckDb.driver());
    try (var database = HistoryDatabase.open(runs, driver, Reading.UNHEARD, _ -> {});
        Statement statement = database.connection().createStatement();
        ResultSet row = statement.executeQuery("select count(*) from samples")) {
      assertThat(full).as("asked to write").isFalse();
      assertThat(row.next()).isTrue();
      assertThat(row.getLong(1)).isEqualTo(2);
    }
    try (var left = Files.newDirectoryStream(folder.resolve("runs/.index"), ".tmp-*")) {
      assertThat(left).isEmpty();
    }
  }

  /** The same, except that the first checkpoint finds no room. */
  private <T> T failing(Class<T> type, T real) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader() == null ? getClass().getClassLoader() : type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              boolean checkpoint =
                  arguments != null
                      && arguments[0] instanceof String sql
                      && sql.startsWith("CHECKPOINT");
              if (checkpoint && full) {
                full = false;
                throw new SQLException("IO Error: No space left on device");
              }
              try {
                Object answer = method.invoke(real, arguments);
                return switch (method.getName()) {
                  case "connect" -> failing(Connection.class, (Connection) answer);
                  case "createStatement" -> failing(Statement.class, (Statement) answer);
                  default -> answer;
                };
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
