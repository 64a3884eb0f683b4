package dev.ridgeline.cli.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.train.loop.Training;
import dev.ridgeline.train.loop.Watcher;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LivePageTest {
  private static final Path FILE = Path.of("a.checkpoint");

  private final List<String> heard = new ArrayList<>();
  private final List<Training> pages = new ArrayList<>();
  private long seconds = -7;

  private final Watcher watcher =
      new Watcher() {
        @Override
        public void kept(long step, Path file) {
          heard.add("kept " + step);
        }

        @Override
        public void warned(String line) {
          heard.add(line);
        }
      };

  @Test
  void aPageIsWrittenWithACheckpointButNotWithEach() {
    var live = new LivePage(watcher, pages::add, () -> seconds * 1_000_000_000);
    live.begins(null);
    for (int step = 1; step <= 4; step++) {
      seconds += 20;
      live.kept(step, FILE);
    }
    assertThat(heard).containsExactly("kept 1", "kept 2", "kept 3", "kept 4");
    assertThat(pages).hasSize(2);
  }

  @Test
  void aPageThatCannotBeWrittenStopsNothing() {
    var live =
        new LivePage(
            watcher,
            _ -> {
              throw new IllegalStateException("no room");
            },
            () -> seconds * 1_000_000_000);
    live.begins(null);
    seconds += 31;
    live.kept(5, FILE);
    assertThat(heard).containsExactly("kept 5", "no page: no room");
  }
}
