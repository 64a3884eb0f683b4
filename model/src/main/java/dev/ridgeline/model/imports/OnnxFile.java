package dev.ridgeline.model.imports;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An ONNX file, mapped: its initializers and constants, and the operations between them.
 *
 * <p>Nothing that a file claims is believed: lengths are checked before anything is allocated, and
 * every refusal names the file and the reason.
 */
final class OnnxFile implements AutoCloseable {
  /** Encoders have hundreds of each; a damaged file must not fill the heap. */
  private static final int MOST_NODES = 200_000;

  private static final int MOST_TENSORS = 100_000;
  private static final int MOST_NAMES = 4_096;
  private static final int MOST_DIMENSIONS = 8;
  private static final int MOST_UNPACKED = 1 << 22;
  private static final long EXTERNAL = 1;

  private final Mapping mapping;
  private final Map<String, StoredTensor> tensors = new LinkedHashMap<>();
  private final List<OnnxNode> nodes = new ArrayList<>();

  private OnnxFile(Mapping mapping) {
    this.mapping = mapping;
  }

  static OnnxFile open(Path path) {
    return of(Mapping.of(path));
  }

  /** Takes the mapping over, also when it is refused. */
  static OnnxFile of(Mapping mapping) {
    try {
      OnnxFile file = new OnnxFile(mapping);
      file.readModel(new Message(mapping.path(), mapping.bytes(), "the model"));
      return file;
    } catch (RuntimeException | Error e) {
      mapping.close();
      throw e;
    }
  }

  Path path() {
    return mapping.path();
  }

  /** Initializers and the values of Constant operations, by name. */
  Map<String, StoredTensor> tensors() {
    return Collections.unmodifiableMap(tensors);
  }

  List<OnnxNode> nodes() {
    return Collections.unmodifiableList(nodes);
  }

  @Override
  public void close() {
    mapping.close();
  }

  private void readModel(Message model) {
    boolean seen = false;
    while (model.next()) {
      if (model.field() != 7) continue;
      if (seen) throw model.wrong("has two graphs");
      seen = true;
      readGraph(model.message("the graph"));
    }
    if (!seen) throw new ImportException(path(), "is not an ONNX model: it has no graph");
  }

  private void readGraph(Message graph) {
    while (graph.next()) {
      switch (graph.field()) {
        case 1 -> {
          if (nodes.size() == MOST_NODES) throw graph.wrong("has too many operations");
          nodes.add(readNode(graph.message("operation " + nodes.size())));
        }
        case 5 -> keep(readTensor(graph.message("tensor " + tensors.size()), null));
        case 15 -> throw graph.wrong("has sparse tensors, which are not supported");
        default -> {}
      }
    }
  }

  private void keep(StoredTensor tensor) {
    if (tensors.size() == MOST_TENSORS) {
      throw new ImportException(path(), "the graph has too many tensors");
    }
    if (tensors.put(tensor.name(), tensor) != null) {
      throw new ImportException(path(), "tensor " + tensor.name() + " is there twice");
    }
  }

  private OnnxNode readNode(Message message) {
    String operation = "";
    String name = "";
    List<String> inputs = new ArrayList<>(4);
    List<String> outputs = new ArrayList<>(1);
    Map<String, Double> numbers = new HashMap<>(4);
    List<Message> tensorsInside = new ArrayList<>(1);
    while (message.next()) {
      switch (message.field()) {
        case 1 -> inputs.add(message.string());
        case 2 -> outputs.add(message.string());
        case 3 -> name = message.string();
        case 4 -> operation = message.string();
        case 5 -> readAttribute(message.message("an attribute"), numbers, tensorsInside);
        default -> {}
      }
      if (inputs.size() + outputs.size() + numbers.size() + tensorsInside.size() > MOST_NAMES) {
        throw message.wrong("has too many parts");
      }
    }
    if (operation.equals("Constant") && outputs.size() == 1 && tensorsInside.size() == 1) {
      keep(readTensor(tensorsInside.getFirst(), outputs.getFirst()));
    }
    return new OnnxNode(operation, name, inputs, outputs, numbers);
  }

  private static void readAttribute(
      Message message, Map<String, Double> numbers, List<Message> tensorsInside) {
    String name = "";
    Double number = null;
    while (message.next()) {
      switch (message.field()) {
        case 1 -> name = message.string();
        case 2 -> number = (double) message.real();
        case 3 -> number = (double) message.number();
        case 5 -> tensorsInside.add(message.message("a constant"));
        default -> {}
      }
    }
    if (number != null) numbers.put(name, number);
  }

  /**
   * Reads a tensor.
   *
   * @param given the name it goes by, or null for its own
   */
  private StoredTensor readTensor(Message message, String given) {
    String name = given == null ? "" : given;
    long type = 0;
    List<Long> shape = new ArrayList<>(4);
    MemorySegment data = null;
    while (message.next()) {
      String owner = "tensor " + (name.isEmpty() ? "without a name" : name);
      switch (message.field()) {
        case 1 ->
            message.wholes(
                length -> {
                  if (shape.size() == MOST_DIMENSIONS) throw message.wrong("has no sane shape");
                  shape.add(length);
                });
        case 2 -> type = message.number();
        case 4 -> {
          if (!message.packed()) throw refused(owner, "stores its floats one by one");
          data = message.bytes(owner);
        }
        case 7 -> data = unpacked(message, owner);
        case 5 -> throw refused(owner, "stores its numbers as int32_data");
        case 8 -> name = given == null ? message.string() : given;
        case 9 -> data = message.bytes(owner);
        case 13 -> throw external(owner);
        case 14 -> {
          if (message.number() == EXTERNAL) throw external(owner);
        }
        default -> {}
      }
    }
    return checked(name, type, shape, data);
  }

  private StoredTensor checked(String name, long code, List<Long> shape, MemorySegment data) {
    String owner = "tensor " + (name.isEmpty() ? "without a name" : name);
    ElementType type = ElementType.ofOnnx(code);
    if (type == null) throw refused(owner, "has type %d, which is not supported".formatted(code));
    long count = StoredTensor.count(shape);
    if (count < 0) throw refused(owner, "has the absurd shape " + shape);
    long there = data == null ? 0 : data.byteSize();
    if (there != count * type.bytes()) {
      throw refused(
          owner,
          "has %,d bytes, its shape %s of %s wants %,d"
              .formatted(there, shape, type, count * type.bytes()));
    }
    MemorySegment numbers = data == null ? MemorySegment.ofArray(new byte[0]) : data;
    return new StoredTensor(name, type, List.copyOf(shape), numbers);
  }

  private static MemorySegment unpacked(Message message, String owner) {
    long most = message.packed() ? Math.min(message.bytes(owner).byteSize(), MOST_UNPACKED) : 1;
    long[] numbers = new long[(int) most];
    int[] count = {0};
    message.wholes(
        number -> {
          if (count[0] == numbers.length) throw message.wrong("has too many whole numbers");
          numbers[count[0]++] = number;
        });
    // Read back as little-endian: whole numbers of a graph are few, order is restored here.
    byte[] bytes = new byte[count[0] * 8];
    for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) (numbers[i / 8] >>> (i % 8 * 8));
    return MemorySegment.ofArray(bytes);
  }

  private ImportException external(String owner) {
    return refused(
        owner, "is kept in another file (external data), which is not supported: export it whole");
  }

  private ImportException refused(String owner, String reason) {
    return new ImportException(path(), owner + " " + reason);
  }
}
