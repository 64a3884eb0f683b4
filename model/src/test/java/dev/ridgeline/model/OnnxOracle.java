package dev.ridgeline.model;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.ridgeline.model.shape.Pooling;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What ONNX Runtime makes of token ids; pooling in double precision is ours. */
final class OnnxOracle implements AutoCloseable {
  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final OrtSession session;
  private final Pooling pooling;

  OnnxOracle(Path model, Pooling pooling) throws OrtException {
    var options = new OrtSession.SessionOptions();
    options.setIntraOpNumThreads(1); // more would spin while they wait for the next text
    this.session = environment.createSession(model.toString(), options);
    this.pooling = pooling;
  }

  double[] embed(int[] tokens) throws OrtException {
    long[] ids = Arrays.stream(tokens).asLongStream().toArray();
    long[] ones = new long[ids.length];
    Arrays.fill(ones, 1);
    Map<String, OnnxTensor> inputs = new HashMap<>();
    for (String name : session.getInputNames()) {
      long[] values =
          switch (name) {
            case "input_ids" -> ids;
            case "attention_mask" -> ones;
            case "token_type_ids" -> new long[ids.length];
            default -> throw new IllegalStateException(name);
          };
      inputs.put(name, OnnxTensor.createTensor(environment, new long[][] {values}));
    }
    try (OrtSession.Result result = session.run(inputs)) {
      return pooled(((float[][][]) result.get(0).getValue())[0]);
    } finally {
      inputs.values().forEach(OnnxTensor::close);
    }
  }

  private double[] pooled(float[][] rows) {
    double[] sum = new double[rows[0].length];
    int count = pooling == Pooling.MEAN ? rows.length : 1;
    for (int r = 0; r < count; r++) {
      for (int i = 0; i < sum.length; i++) sum[i] += rows[r][i];
    }
    double length = Math.sqrt(Arrays.stream(sum).map(x -> x * x).sum());
    return Arrays.stream(sum).map(x -> x / length).toArray();
  }

  @Override
  public void close() throws OrtException {
    session.close();
  }
}
