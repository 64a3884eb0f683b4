package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.Level;
import org.junit.jupiter.api.Test;

class TopTest {
  @Test
  void itReadsLikePprofsTop() {
    Report report =
        Made.profile()
            .scope(-1, "main", 1, 100, 20)
            .allocating(0, "forward", 10, 50, 3_000_000)
            .allocating(0, "tokenize", 10, 30, 1_000_000)
            .report();
    assertThat(Top.draw(report))
        .isEqualTo(
            """
            title
            Time: 2026-11-15T10:00:00Z
            Duration: 1,000 ms wall

            Type: self time, corrected
            Showing scopes accounting for 100.00 ms, 100.00% of 100.00 ms total
            Showing top 3 scopes out of 3
                      flat   flat%    sum%            cum    cum%  scope
                  50.00 ms  50.00%  50.00%       50.00 ms  50.00%  main › forward
                  30.00 ms  30.00%  80.00%       30.00 ms  30.00%  main › tokenize
                  20.00 ms  20.00% 100.00%      100.00 ms 100.00%  main

            Type: allocated on the heap
            Showing scopes accounting for 4.0 MB, 100.00% of 4.0 MB total
            Showing top 2 scopes out of 3
                      flat   flat%    sum%            cum    cum%  scope
                    3.0 MB  75.00%  75.00%         3.0 MB  75.00%  main › forward
                    1.0 MB  25.00% 100.00%         1.0 MB  25.00%  main › tokenize
            """);
  }

  @Test
  void cumulativeTimeCountsTasksOnOtherThreads() {
    Report report =
        Made.profile().region(-1, "region", 100, 1).worker("worker", false, 100).report();
    assertThat(Top.draw(report))
        .contains("100.00 ms  50.00%  50.00%      200.00 ms 100.00%  region");
  }

  @Test
  void atMostThirtyAreShown() {
    Report report = Made.profile().scope(-1, "main", 1, 1000, 0).report();
    Made many = Made.profile();
    for (int i = 0; i < 100; i++) many.scope(-1, "scope " + i, 1, 1 + i, 1 + i);
    assertThat(Top.draw(many.report())).contains("Showing top 30 scopes out of 100");
    assertThat(Top.draw(report)).contains("Showing top 0 scopes out of 1").doesNotContain("NaN");
  }

  @Test
  void whatIsNotKnownAboutAllocationIsSaid() {
    Report time = Made.profile().level(Level.TIME).scope(-1, "main", 1, 10, 10).report();
    assertThat(Top.draw(time))
        .endsWith("Allocation was not recorded; record allocations with --level allocation\n");
    Report virtual =
        Made.profile().region(-1, "region", 100, 1).worker("virtual", true, 90).report();
    assertThat(Top.draw(virtual)).endsWith("Unknown: 1 scope\n");
  }
}
