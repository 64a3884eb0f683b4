package dev.ridgeline.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.train.TrainException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentsTest {
  @TempDir Path folder;

  @Test
  void aTextFileIsOneDocument() throws IOException {
    Path file = write("a.txt", "naïve 🦙\n\nend");
    assertThat(texts("", file)).containsExactly("naïve 🦙\n\nend");
  }

  @Test
  void aSeparatorCutsItAndNothingBetweenTwoIsNoDocument() throws IOException {
    Path file = write("a.txt", "--one--two----three--");
    assertThat(texts("--", file)).containsExactly("one", "two", "three");
    assertThat(texts("==", file)).containsExactly("--one--two----three--");
  }

  @Test
  void aJsonlFileHasAnObjectALine() throws IOException {
    Path file =
        write(
            "a.jsonl",
            """
            {"id": 1, "text": "one\\nline", "more": {"text": "no", "list": [1]}}

            {"text": ""}
            {"text": "é"}
            """);
    assertThat(texts("", file)).containsExactly("one\nline", "é");
  }

  @Test
  void filesComeInTheirOrder() throws IOException {
    Path b = write("b.txt", "b");
    Path a = write("a.jsonl", "{\"text\": \"a\"}");
    assertThat(texts("", b, a)).containsExactly("b", "a");
    assertThat(new Documents(List.of(b, a), "", "text").name()).isEqualTo(b + " and 1 more");
  }

  @Test
  void whatIsNotUtf8IsNamedByItsByte() throws IOException {
    byte[] bytes = "naïve text".getBytes(StandardCharsets.UTF_8);
    bytes[7] = (byte) 0xff;
    Path file = Files.write(folder.resolve("a.txt"), bytes);
    assertThatThrownBy(() -> texts("", file))
        .isInstanceOf(TrainException.class)
        .hasMessage(file + ": is not UTF-8 at byte 7");
    Path half = Files.write(folder.resolve("b.txt"), new byte[] {'a', (byte) 0xc3});
    assertThatThrownBy(() -> texts("", half)).hasMessage(half + ": is not UTF-8 at byte 1");
    Path lines = Files.write(folder.resolve("a.jsonl"), new byte[] {'{', (byte) 0xe2, '}'});
    assertThatThrownBy(() -> texts("", lines)).hasMessage(lines + ": is not UTF-8 at byte 1");
  }

  @Test
  void whatHasNoTextSaysSo() throws IOException {
    Path empty = write("empty.txt", "");
    assertThatThrownBy(() -> texts("", empty)).hasMessage(empty + ": is empty");
    Path none = write("none.txt", "----");
    assertThatThrownBy(() -> texts("--", none)).hasMessage(none + ": contains no text");
    Path blank = write("blank.jsonl", "\n\n");
    assertThatThrownBy(() -> texts("", blank)).hasMessage(blank + ": contains no text");
    assertThatThrownBy(() -> texts("", folder.resolve("x.txt")))
        .hasMessage(folder.resolve("x.txt") + ": no such file or directory");
    assertThatThrownBy(() -> new Documents(List.of(), "", "text"))
        .hasMessage("no file to train on");
  }

  @Test
  void aWrongLineIsNamedByItsNumberAndByte() throws IOException {
    String good = "{\"text\": \"é\"}\n";
    for (var wrong :
        List.of(
            List.of("[1]", "not a JSON object"),
            List.of("{\"story\": \"x\"}", "has no text 'text'"),
            List.of("{\"text\": 1}", "'text' is not a text"),
            List.of("{\"text\": \"\\ud800\"}", "has half a character"),
            List.of("{\"text\": \"x\"", "not JSON"),
            List.of("{\"text\": tru}", "not JSON"))) {
      Path file = write("a.jsonl", good + wrong.getFirst());
      assertThatThrownBy(() -> texts("", file))
          .isInstanceOf(TrainException.class)
          .hasMessageMatching("\\Q%s:2: %s, at byte \\E\\d+".formatted(file, wrong.getLast()));
    }
  }

  @Test
  void damagedLinesAreReadOrRefusedInOneLine() throws IOException {
    long seed = 20261117;
    SplittableRandom random = new SplittableRandom(seed);
    byte[] good =
        "{\"text\": \"one é\", \"n\": [1.5, true, null]}\n{\"text\": \"two\"}\n"
            .getBytes(StandardCharsets.UTF_8);
    int refused = 0;
    for (int i = 0; i < 3000; i++) {
      byte[] bytes = good.clone();
      for (int n = random.nextInt(3); n >= 0; n--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      Path file = Files.write(folder.resolve("a.jsonl"), bytes);
      try {
        assertThat(texts("", file)).isNotEmpty();
      } catch (TrainException e) {
        refused++;
        assertThat(e.getMessage()).as("seed %d, file %d", seed, i).startsWith(file + ":");
      }
    }
    assertThat(refused).isGreaterThan(1000);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static List<String> texts(String separator, Path... files) {
    List<String> texts = new ArrayList<>();
    new Documents(List.of(files), separator, "text").each(texts::add);
    return texts;
  }
}
