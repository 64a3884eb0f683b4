package dev.ridgeline.cli.inspect;

import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufSummary;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.gguf.Metadata;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A model file for programs. Keys stay; a change that breaks readers raises {@link #VERSION}. */
final class InspectJson {
  static final int VERSION = 1;

  /** Longer arrays, vocabularies for instance, are cut: their count tells. */
  private static final int LONGEST_ARRAY = 256;

  private InspectJson() {}

  static String of(Gguf file, List<GgufTensor> tensors) {
    GgufSummary summary = GgufSummary.of(file);
    ObjectNode root = JsonMapper.shared().createObjectNode();
    root.put("schema", "ridgeline.inspect").put("version", VERSION);
    root.put("path", summary.path().toString()).put("gguf", summary.version());
    root.put("bytes", summary.fileBytes()).put("parameters", summary.numbers());
    root.put("weightBytes", summary.tensorBytes()).put("bitsPerNumber", summary.bitsPerNumber());
    PlannedMemory memory = PlannedMemory.of(file);
    if (memory != null) {
      root.put("command", memory.command());
      ObjectNode owners = root.putObject("memoryBytes");
      memory.owners().forEach(owners::put);
      root.put("memoryNeededBytes", memory.total());
    }
    metadata(file.metadata(), root.putObject("metadata"));
    ArrayNode types = root.putArray("types");
    for (GgufSummary.TypeTotal total : summary.types()) {
      ObjectNode entry = types.addObject();
      entry.put("type", total.type().word()).put("tensors", total.tensors());
      entry.put("numbers", total.numbers()).put("bytes", total.bytes());
    }
    ArrayNode entries = root.putArray("tensors");
    for (GgufTensor tensor : tensors) {
      ObjectNode entry = entries.addObject();
      entry.put("name", tensor.name()).put("type", tensor.type().word());
      ArrayNode shape = entry.putArray("shape");
      tensor.shape().forEach(shape::add);
      entry.put("bytes", tensor.data().byteSize());
    }
    return root.toPrettyString();
  }

  private static void metadata(Metadata metadata, ObjectNode into) {
    for (String key : metadata.keys()) {
      ObjectNode entry = into.putObject(key).put("type", metadata.kind(key));
      if (metadata.count(key) >= 0) entry.put("count", metadata.count(key));
      entry.set("value", JsonMapper.shared().valueToTree(metadata.value(key, LONGEST_ARRAY)));
    }
  }
}
