package dev.ridgeline.tensor.gguf;

import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a GGUF file holds, added up.
 *
 * @param numbers of all tensors
 * @param tensorBytes what the tensors take as they are stored
 * @param types those that occur, largest first
 */
public record GgufSummary(
    Path path,
    int version,
    long fileBytes,
    int tensors,
    long numbers,
    long tensorBytes,
    List<TypeTotal> types) {
  /** All tensors of a type. */
  public record TypeTotal(TensorType type, int tensors, long numbers, long bytes) {
    private TypeTotal plus(GgufTensor tensor) {
      return new TypeTotal(
          type, tensors + 1, numbers + tensor.count(), bytes + tensor.data().byteSize());
    }
  }

  public static GgufSummary of(Gguf file) {
    Map<TensorType, TypeTotal> totals = new EnumMap<>(TensorType.class);
    for (GgufTensor tensor : file.tensors()) {
      TensorType type = tensor.type();
      totals.put(type, totals.getOrDefault(type, new TypeTotal(type, 0, 0, 0)).plus(tensor));
    }
    List<TypeTotal> types =
        totals.values().stream()
            .sorted(Comparator.comparingLong(TypeTotal::bytes).reversed())
            .toList();
    return new GgufSummary(
        file.path(),
        file.version(),
        file.bytes(),
        file.tensors().size(),
        types.stream().mapToLong(TypeTotal::numbers).sum(),
        types.stream().mapToLong(TypeTotal::bytes).sum(),
        types);
  }

  /** Of a number, scales of its block included. */
  public double bitsPerNumber() {
    return numbers == 0 ? 0 : 8.0 * tensorBytes / numbers;
  }
}
