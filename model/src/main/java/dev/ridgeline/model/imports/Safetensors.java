package dev.ridgeline.model.imports;

import dev.ridgeline.model.json.JsonValue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tensors of a safetensors file, or of one that was split into several, mapped. */
final class Safetensors implements AutoCloseable {
  static final String FILE = "model.safetensors";
  static final String INDEX = "model.safetensors.index.json";

  /** Headers have some hundred bytes a tensor. */
  private static final long LONGEST_HEADER = 32L << 20;

  private static final int MOST_DIMENSIONS = 8;

  private final Path path;
  private final List<Mapping> mappings = new ArrayList<>();
  private final Map<String, StoredTensor> tensors = new LinkedHashMap<>();

  private Safetensors(Path path) {
    this.path = path;
  }

  /** One file. */
  static Safetensors open(Path file) {
    return of(Mapping.of(file));
  }

  /** Takes the mapping over, also when it is refused. */
  static Safetensors of(Mapping mapping) {
    Safetensors opened = new Safetensors(mapping.path());
    try {
      opened.add(mapping);
      return opened;
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  /** The weights of a folder: one file, or those that its index names. */
  static Safetensors inFolder(Path folder) {
    if (Files.exists(folder.resolve(FILE)) || !Files.exists(folder.resolve(INDEX))) {
      return open(folder.resolve(FILE));
    }
    Path index = folder.resolve(INDEX);
    Safetensors opened = new Safetensors(index);
    try {
      opened.addShards(index, JsonFile.read(index).at("weight_map"));
      return opened;
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  Path path() {
    return path;
  }

  Map<String, StoredTensor> tensors() {
    return Collections.unmodifiableMap(tensors);
  }

  @Override
  public void close() {
    mappings.forEach(Mapping::close);
  }

  private void addShards(Path index, JsonValue weights) {
    Set<String> shards = new LinkedHashSet<>();
    for (String tensor : weights.names()) shards.add(weights.at(tensor).string());
    for (String shard : shards) {
      // A name, not a way out of the folder.
      if (shard.contains("/") || shard.contains("\\") || shard.contains("\0")) {
        throw new ImportException(index, "names the file '" + shard + "', which is not next to it");
      }
      add(Mapping.of(index.resolveSibling(shard)));
    }
    for (String tensor : weights.names()) {
      if (!tensors.containsKey(tensor)) {
        throw new ImportException(index, "names tensor " + tensor + ", which no file has");
      }
    }
  }

  private void add(Mapping mapping) {
    mappings.add(mapping);
    Path file = mapping.path();
    if (mapping.size() < 8) throw new ImportException(file, "is too short for safetensors");
    long length = mapping.bytes().get(StoredTensor.LONG, 0);
    if (length < 2 || length > LONGEST_HEADER) {
      throw new ImportException(
          file, "is not safetensors: a header of " + Long.toUnsignedString(length) + " bytes");
    }
    if (length > mapping.size() - 8) {
      throw new ImportException(file, "the file is truncated: its header is cut off");
    }
    byte[] header = mapping.bytes().asSlice(8, length).toArray(ValueLayout.JAVA_BYTE);
    JsonValue entries = JsonFile.read(file, header);
    MemorySegment data = mapping.bytes().asSlice(8 + length);
    List<Range> ranges = new ArrayList<>();
    for (String name : entries.names()) {
      if (name.equals("__metadata__")) continue;
      StoredTensor tensor = tensor(name, entries.at(name), data);
      if (tensors.put(tensor.name(), tensor) != null) {
        throw new ImportException(file, "tensor " + name + " is there twice");
      }
      long from = tensor.data().address() - data.address();
      ranges.add(new Range(tensor.name(), from, from + tensor.data().byteSize()));
    }
    requireCover(file, ranges, data.byteSize());
  }

  /** Where the bytes of a tensor are in the data. */
  private record Range(String tensor, long from, long to) {}

  /**
   * The format has every byte belong to one tensor. Where that does not hold, offsets are wrong,
   * and so would be the weights.
   */
  private static void requireCover(Path file, List<Range> ranges, long size) {
    ranges.sort(Comparator.comparingLong(Range::from).thenComparingLong(Range::to));
    Range before = null;
    long end = 0;
    for (Range range : ranges) {
      if (range.from() < end) {
        throw new ImportException(
            file, "tensors %s and %s overlap".formatted(before.tensor(), range.tensor()));
      }
      if (range.from() > end) {
        String where = " before tensor " + range.tensor();
        if (before != null) {
          where = " between tensors %s and %s".formatted(before.tensor(), range.tensor());
        }
        throw unowned(file, range.from() - end, where);
      }
      before = range;
      end = range.to();
    }
    if (end < size) {
      throw unowned(file, size - end, before == null ? "" : " after tensor " + before.tensor());
    }
  }

  private static ImportException unowned(Path file, long bytes, String where) {
    String count = bytes == 1 ? "1 byte" : "%,d bytes".formatted(bytes);
    return new ImportException(file, "has %s%s that no tensor owns".formatted(count, where));
  }

  private static StoredTensor tensor(String name, JsonValue entry, MemorySegment data) {
    ElementType type = ElementType.ofSafetensors(entry.at("dtype").string());
    if (type == null)
      throw entry.at("dtype").wrong("is " + entry.at("dtype").string() + ", unsupported");
    List<Long> shape = wholes(entry.at("shape"));
    List<Long> offsets = wholes(entry.at("data_offsets"));
    if (shape.size() > MOST_DIMENSIONS) throw entry.at("shape").wrong("is " + shape);
    long count = StoredTensor.count(shape);
    if (count < 0) throw entry.at("shape").wrong("is " + shape);
    if (offsets.size() != 2) throw entry.at("data_offsets").wrong("is " + offsets);
    long from = offsets.getFirst();
    long to = offsets.getLast();
    if (from < 0 || to < from || to - from != count * type.bytes()) {
      throw entry
          .at("data_offsets")
          .wrong("is %s for shape %s of %s".formatted(offsets, shape, type));
    }
    if (to > data.byteSize()) {
      throw new ImportException(
          entry.file(),
          "the file is truncated: tensor %s is cut off (%,d bytes, %,d are there)"
              .formatted(name, to - from, Math.max(0, data.byteSize() - from)));
    }
    return new StoredTensor(name, type, shape, data.asSlice(from, to - from));
  }

  private static List<Long> wholes(JsonValue numbers) {
    return numbers.elements().stream().map(JsonValue::whole).toList();
  }
}
