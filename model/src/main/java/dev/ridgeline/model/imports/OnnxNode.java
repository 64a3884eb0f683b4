package dev.ridgeline.model.imports;

import java.util.List;
import java.util.Map;

/**
 * An operation of an ONNX graph.
 *
 * @param numbers those of its attributes that are one number
 */
record OnnxNode(
    String operation,
    String name,
    List<String> inputs,
    List<String> outputs,
    Map<String, Double> numbers) {

  String input(int index) {
    return index < inputs.size() ? inputs.get(index) : "";
  }

  String output() {
    return outputs.isEmpty() ? "" : outputs.getFirst();
  }
}
