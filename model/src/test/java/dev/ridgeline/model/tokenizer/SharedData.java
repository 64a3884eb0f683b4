package dev.ridgeline.model.tokenizer;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Real data that lies beside the checkout on some machines. */
public final class SharedData {
  private SharedData() {}

  /** A file of that folder, or a skipped test. */
  public static Path file(String name) {
    Path file = Path.of("..", "..", "shared", "data", name); // tests run in the module's folder
    assumeTrue(Files.exists(file), "../shared/data/" + name + " is not there");
    return file;
  }
}
