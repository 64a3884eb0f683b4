package dev.ridgeline.report.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.profiler.file.FileException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void aFileThatWouldNotFitTheHeapIsRefused() throws IOException {
    String[] texts = {
      "0,".repeat(100_000) + 0, "[],".repeat(50_000) + "[]", "0.5,0,".repeat(99_999) + 1
    };
    for (String list : texts) {
      assertThatThrownBy(() -> read("\"a\":[" + list + "]}", 1_000_000))
          .isInstanceOf(FileException.class)
          .hasMessage("a.json: needs more memory than this JVM may use (raise -Xmx)");
    }
    assertThat(read("\"a\":[" + texts[0] + "]}", 10_000_000).numbers("a")).hasSize(100_001);
  }

  @Test
  void whatADecoderMakesOfAFileCountsToo() throws IOException {
    JsonObject json = read("\"a\":[1,2,3]}", 10_000);
    json.reserve(5_000);
    assertThatThrownBy(() -> json.reserve(5_000)).isInstanceOf(FileException.class);
  }

  @Test
  void integersAndRealsMayShareAList() throws IOException {
    JsonObject json = read("\"a\":[1,2.5,-3],\"b\":[1,2],\"c\":[]}", 10_000);
    assertThat(json.reals("a")).containsExactly(1, 2.5, -3);
    assertThat(json.reals("b")).containsExactly(1, 2);
    assertThat(json.reals("c")).isEmpty();
    assertThatThrownBy(() -> json.numbers("a")).hasMessage("a.json: a: must be a list of integers");
  }

  private static JsonObject read(String json, long heap) throws IOException {
    return Json.read(
        "a.json",
        new ByteArrayInputStream(
            ("{\"ridgeline\":\"test\",\"version\":3," + json).getBytes(StandardCharsets.UTF_8)),
        new Schema("test", 3, 1 << 20),
        new HeapBudget("a.json", heap));
  }
}
