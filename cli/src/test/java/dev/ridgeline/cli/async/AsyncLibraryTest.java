package dev.ridgeline.cli.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AsyncLibraryTest {
  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, linux-x64",
    "Linux, aarch64, linux-arm64",
    "Mac OS X, aarch64, macos",
    "Linux, riscv64,",
    "Windows 11, amd64,",
  })
  void aPlatformHasItsLibraryOrNone(String system, String processor, String folder) {
    assertThat(AsyncLibrary.folder(system, processor)).isEqualTo(folder);
    if (folder == null) return;
    assertThat(one.profiler.AsyncProfiler.class.getResource("/" + folder + "/libasyncProfiler.so"))
        .isNotNull();
  }

  @Test
  void theLibraryIsOneFileHoweverOftenItIsAskedFor() {
    assumeTrue(AsyncLibrary.isThere(), "async-profiler has no library for this platform");
    assertThat(AsyncLibrary.find()).isEqualTo(AsyncLibrary.find()).isNotEmptyFile();
    assertThat(AsyncLibrary.find().getParent()).isDirectoryNotContaining("glob:**.part");
  }
}
