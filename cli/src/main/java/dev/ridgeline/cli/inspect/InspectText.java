package dev.ridgeline.cli.inspect;

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
    out.println("  type   tensors         numbers      bytes    share");
    for (GgufSummary.TypeTotal total : summary.types()) {
      out.printf(
          "  %-5s  %7s  %14s  %9s  %7s%n",
          total.type().word(),
          Quantity.count(total.tensors()),
          Quantity.count(total.numbers()),
          Quantity.bytes(total.bytes()),
          Quantity.percent((double) total.bytes() / summary.tensorBytes()));
    }
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
    int names = Math.max(6, width - 2 - 2 - 5 - 2 - 22 - 2 - 9 - 2 - 7);
    int longest = largest.stream().mapToInt(t -> Text.width(Text.clean(t.name()))).max().orElse(0);
    names = Math.min(names, Math.max(6, longest));
    out.println(row(names, "tensor", "type", "shape", "bytes", "share"));
    for (GgufTensor tensor : largest) {
      long bytes = tensor.data().byteSize();
      String shape =
          tensor.shape().stream().map(Quantity::count).collect(Collectors.joining(" × "));
      String share = Quantity.percent((double) bytes / summary.tensorBytes());
      String name = Text.clean(tensor.name());
      out.println(row(names, name, tensor.type().word(), shape, Quantity.bytes(bytes), share));
    }
    int more = summary.tensors() - largest.size();
    if (more > 0)
      out.println("  … and " + Quantity.count(more) + " smaller: --top " + summary.tensors());
  }

  private static String row(
      int names, String name, String type, String shape, String bytes, String share) {
    return "  %s  %s  %s  %s  %s"
        .formatted(
            Text.left(Text.fit(name, names), names),
            Text.left(type, 5),
            Text.left(shape, 22),
            Text.right(bytes, 9),
            Text.right(share, 7));
  }
}
