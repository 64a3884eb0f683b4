package dev.ridgeline.lab.history.sql;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.zip.CRC32;

/**
 * The file of tables in an index's folder. Its name holds a checksum of it, so that a damaged one
 * is as good as none and never reaches the native code of the database.
 *
 * @param folder that of the index
 */
record TableFile(Path folder) {
  private static final String NAMES = "history-*.duckdb";

  /** Logs of changes, which the database would read with the file: none of them is ours. */
  private static final String LOGS = NAMES + ".wal";

  /** The file, or null where none is whole. */
  Path find() {
    try {
      clear(LOGS, null);
    } catch (IOException _) {
      return null;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, NAMES)) {
      for (Path file : files) if (file.endsWith(nameOf(file))) return file;
    } catch (IOException _) {
      // There is no index, or somebody has just replaced the file.
    }
    return null;
  }

  /** Puts a file in the place of all before it; leaves it where it is if that cannot be. */
  Path keep(Path file) {
    Path place;
    try {
      place = Files.move(file, folder.resolve(nameOf(file)), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException _) {
      return file;
    }
    try {
      clear(NAMES, place);
    } catch (IOException _) {
      // The next who replaces it tries again.
    }
    return place;
  }

  private void clear(String names, Path but) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, names)) {
      for (Path each : files) if (!each.equals(but)) Files.deleteIfExists(each);
    }
  }

  private static String nameOf(Path file) throws IOException {
    CRC32 crc = new CRC32();
    byte[] buffer = new byte[1 << 18];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        crc.update(buffer, 0, read);
      }
    }
    return NAMES.replace("*", HexFormat.of().toHexDigits((int) crc.getValue()));
  }
}
