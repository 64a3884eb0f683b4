package dev.ridgeline.cli.inspect;

import dev.ridgeline.cli.line.Table;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Text;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufSummary;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.gguf.Metadata;
import dev.ridgeline.tensor.quant.FileType;
import java.io.PrintWriter;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A model file for people: a line that says it all, then metadata, types and tensors. */
record InspectText(PrintWriter out, int width) {
  /** Elements of an array to show at most; the width cuts earlier. */
  private static final int FIRST = 12;

  /** What the other columns of a row of tensors take, shapes of four numbers included. */
  private static final int BESIDE_NAMES = 53;

  void print(Gguf file, List<GgufTensor> largest) {
    GgufSummary summary = GgufSummary.of(file);
    out.println(Text.fit(headline(file, summary), width));
    out.println();
    metadata(file.metadata());
    types(file, summary);
    tensors(summary, largest);
  }

  private static String headline(Gguf file, GgufSummary summary) {
    Metadata metadata = file.metadata();
    List<String> parts = new ArrayList<>();
    parts.add(summary.path().getFileName().toString());
    if (metadata.has("general.architecture")) {
      parts.add(text(metadata.value("general.architecture")));
    }
    if (metadata.has("general.file_type")) parts.add(fileType(metadata));
    parts.add(Quantity.bytes(summary.fileBytes()));
    if (summary.tensors() > 0) {
      parts.add(Quantity.many(summary.numbers(), "parameter"));
      parts.add(Quantity.number(summary.bitsPerNumber()) + " bits each");
    }
    parts.add("GGUF " + summary.version());
    return Text.clean(String.join(" · ", parts));
  }

  private static String fileType(Metadata metadata) {
    Object code = metadata.value("general.file_type");
    String word = code instanceof Integer number ? FileType.wordOfCode(number) : null;
    return word == null ? "file type " + text(code) : word;
  }

  private void metadata(Metadata metadata) {
    if (metadata.keys().isEmpty()) return;
    int keys = metadata.keys().stream().mapToInt(Text::width).max().orElse(0);
    keys = Math.min(keys, width / 2);
    for (String key : metadata.keys()) {
      String name = Text.left(Text.fit(Text.clean(key), keys), keys);
      out.println(Text.fit("  %s  %s".formatted(name, value(metadata, key)), width));
    }
    out.println();
  }

  private static String value(Metadata metadata, String key) {
    String text = Text.clean(text(metadata.value(key, FIRST)));
    int count = metadata.count(key);
    return count < 0 ? text : metadata.kind(key) + "  " + text + (count > FIRST ? " …" : "");
  }

  /** Of an array its elements, separated by spaces. */
  private static String text(Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(Object::toString).collect(Collectors.joining(" "));
    }
    if (!value.getClass().isArray()) return value.toString();
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < Array.getLength(value); i++) elements.add(Array.get(value, i).toString());
    return String.join(" ", elements);
  }

  private void types(Gguf file, GgufSummary summary) {
    if (summary.tensors() == 0) {
      out.println("  no tensors");
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("type", "tensors", "numbers", "bytes", "share"));
    for (GgufSummary.TypeTotal total : summary.types()) {
      rows.add(
          List.of(
              total.type().word(),
              Quantity.count(total.tensors()),
              Quantity.count(total.numbers()),
              Quantity.bytes(total.bytes()),
              Quantity.percent((double) total.bytes() / summary.tensorBytes())));
    }
    table(rows, 1, 2, 3, 4);
    out.println();
    out.println(memory(file, summary));
    out.println();
  }

  private static String memory(Gguf file, GgufSummary summary) {
    PlannedMemory planned = PlannedMemory.of(file);
    if (planned == null) {
      return "  memory for the weights as they are: " + Quantity.bytes(summary.tensorBytes());
    }
    return "  memory to %s: %s = %s"
        .formatted(
            planned.command(),
            Quantity.bytes(planned.total()),
            planned.owners().entrySet().stream()
                .map(owner -> owner.getKey() + " " + Quantity.bytes(owner.getValue()))
                .collect(Collectors.joining(" + ")));
  }

  private void tensors(GgufSummary summary, List<GgufTensor> largest) {
    if (largest.isEmpty()) return;
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("tensor", "type", "shape", "bytes", "share"));
    for (GgufTensor tensor : largest) {
      long bytes = tensor.data().byteSize();
      rows.add(
          List.of(
              Text.fit(Text.clean(tensor.name()), Math.max(6, width - BESIDE_NAMES)),
              tensor.type().word(),
              tensor.shape().stream().map(Quantity::count).collect(Collectors.joining(" × ")),
              Quantity.bytes(bytes),
              Quantity.percent((double) bytes / summary.tensorBytes())));
    }
    table(rows, 3, 4);
    int more = summary.tensors() - largest.size();
    if (more > 0)
      out.println("  … and " + Quantity.count(more) + " smaller: --top " + summary.tensors());
  }

  private void table(List<List<String>> rows, Integer... numbers) {
    Table.of(rows, numbers).lines().forEach(line -> out.println("  " + line));
  }
}
