package dev.ridgeline.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.train.TrainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFilesTest {
  @TempDir Path folder;

  @BeforeEach
  void files() throws IOException {
    Files.createDirectories(folder.resolve("data/deep"));
    for (String name :
        List.of("b.txt", "a.txt", "data/2.txt", "data/1.txt", "data/deep/3.txt", "data/x.jsonl")) {
      Files.writeString(folder.resolve(name), name);
    }
  }

  @Test
  void patternsComeInTheirOrderAndFilesOfOneByName() {
    assertThat(find("b.txt", "data/*.txt")).containsExactly("b.txt", "data/1.txt", "data/2.txt");
    assertThat(find("*.txt")).containsExactly("a.txt", "b.txt");
    assertThat(find("data/**/*.txt"))
        .containsExactly("data/1.txt", "data/2.txt", "data/deep/3.txt");
    assertThat(find("**.{jsonl,md}")).containsExactly("data/x.jsonl");
    assertThat(find("data/[12].txt", "data/1.txt", "./data/../data/2.txt"))
        .containsExactly("data/1.txt", "data/2.txt");
    assertThat(find(folder.resolve("data").toAbsolutePath() + "/*.jsonl"))
        .containsExactly("data/x.jsonl");
  }

  @Test
  void aNameWithAStarIsAName() throws IOException {
    Files.writeString(folder.resolve("data/*.txt"), "star");
    assertThat(find("data/*.txt")).containsExactly("data/*.txt");
  }

  @Test
  void aPatternWithoutAFileIsAnError() {
    for (String pattern : List.of("none.txt", "*.md", "none/*.txt", "data", "data/[.txt")) {
      assertThatThrownBy(() -> find(pattern))
          .isInstanceOf(TrainException.class)
          .hasMessageStartingWith(folder.resolve(pattern) + ": ");
    }
  }

  private List<String> find(String... patterns) {
    return DataFiles.find(folder, List.of(patterns)).stream()
        .map(file -> folder.relativize(file).toString())
        .toList();
  }
}
