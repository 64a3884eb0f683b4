package dev.ridgeline.model.store;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;

/** A folder with all that is in it. */
final class Tree {
  private static final int MOST_TRIES = 100;

  private Tree() {}

  /** Every regular file, by path; none where there is no such folder. */
  static List<Path> files(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) return List.of();
    try (var paths = Files.walk(folder)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** Creates a folder and those above it. */
  static void create(Path folder) throws IOException {
    persistently(() -> Files.createDirectories(folder));
  }

  /** Moves a file into a folder, which is created if it must be. */
  static void move(Path file, Path target) throws IOException {
    persistently(
        () -> {
          Files.createDirectories(target.getParent());
          Files.move(file, target, StandardCopyOption.ATOMIC_MOVE);
        });
  }

  private interface Action {
    void run() throws IOException;
  }

  /** Others may delete a folder that is empty while we are about to fill it. */
  private static void persistently(Action action) throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        action.run();
        return;
      } catch (NoSuchFileException | FileAlreadyExistsException e) {
        if (tries == MOST_TRIES) throw e;
      }
    }
  }

  /** Deletes a folder with nothing in it, and those above it that become empty, below another. */
  static void deleteEmpty(Path folder, Path below) {
    try {
      for (Path each = folder; !each.equals(below); each = each.getParent()) {
        // A link to another disk is the user's own, and could be deleted whatever lies behind it.
        if (Files.isSymbolicLink(each)) return;
        Files.deleteIfExists(each);
      }
    } catch (IOException _) {
      // Others use it; and no empty folder is worth a complaint.
    }
  }

  static void delete(Path folder) throws IOException {
    try (var paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (NoSuchFileException _) {
      // Nothing to delete is what was wanted.
    }
  }
}
