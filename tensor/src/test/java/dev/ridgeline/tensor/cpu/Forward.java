package dev.ridgeline.tensor.cpu;

/** Operations that gradients are of, as textbooks have them, in double. */
final class Forward {
  private Forward() {}

  static double[] rmsNorm(double[] x, double[] weight, double epsilon) {
    int width = weight.length;
    double[] out = new double[x.length];
    for (int at = 0; at < x.length; at += width) {
      double squares = 0;
      for (int i = 0; i < width; i++) squares += x[at + i] * x[at + i];
      double scale = 1 / Math.sqrt(squares / width + epsilon);
      for (int i = 0; i < width; i++) out[at + i] = x[at + i] * scale * weight[i];
    }
    return out;
  }

  static double[] layerNorm(double[] x, double[] weight, double[] bias, double epsilon) {
    int width = weight.length;
    double[] out = new double[x.length];
    for (int at = 0; at < x.length; at += width) {
      double sum = 0;
      for (int i = 0; i < width; i++) sum += x[at + i];
      double mean = sum / width;
      double squares = 0;
      for (int i = 0; i < width; i++) squares += (x[at + i] - mean) * (x[at + i] - mean);
      double scale = 1 / Math.sqrt(squares / width + epsilon);
      for (int i = 0; i < width; i++) {
        out[at + i] = (x[at + i] - mean) * scale * weight[i] + bias[i];
      }
    }
    return out;
  }

  static double geluTanh(double x) {
    return 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
  }

  static double[] swiglu(double[] gate, double[] up) {
    double[] out = new double[gate.length];
    for (int i = 0; i < out.length; i++) out[i] = gate[i] / (1 + Math.exp(-gate[i])) * up[i];
    return out;
  }

  /**
   * Turned heads.
   *
   * @param angles per position cosines, then sines
   */
  static double[] rope(
      double[] x,
      int heads,
      int width,
      int[] positions,
      double[] angles,
      int turned,
      boolean near) {
    double[] out = x.clone();
    int half = turned / 2;
    for (int r = 0; r < positions.length; r++) {
      for (int h = 0; h < heads; h++) {
        for (int j = 0; j < half; j++) {
          int first = (r * heads + h) * width + (near ? 2 * j : j);
          int second = first + (near ? 1 : half);
          double cos = angles[positions[r] * turned + j];
          double sin = angles[positions[r] * turned + half + j];
          out[first] = x[first] * cos - x[second] * sin;
          out[second] = x[first] * sin + x[second] * cos;
        }
      }
    }
    return out;
  }

  static double[] attention(
      double[] q,
      double[] k,
      double[] v,
      int[] lengths,
      int heads,
      int keyHeads,
      int width,
      int valueWidth,
      double scale,
      int before,
      int after) {
    double[] out = new double[q.length / width * valueWidth];
    int start = 0;
    for (int length : lengths) {
      for (int h = 0; h < heads; h++) {
        int kv = h / (heads / keyHeads);
        for (int i = 0; i < length; i++) {
          int from = Math.max(0, i - before);
          int to = (int) Math.min(length, (long) i + after + 1);
          double[] weights = new double[to];
          double sum = 0;
          for (int j = from; j < to; j++) {
            double dot = 0;
            for (int c = 0; c < width; c++) {
              dot +=
                  q[((start + i) * heads + h) * width + c]
                      * k[((start + j) * keyHeads + kv) * width + c];
            }
            sum += weights[j] = Math.exp(dot * scale);
          }
          for (int j = from; j < to; j++) {
            for (int c = 0; c < valueWidth; c++) {
              out[((start + i) * heads + h) * valueWidth + c] +=
                  weights[j] / sum * v[((start + j) * keyHeads + kv) * valueWidth + c];
            }
          }
        }
      }
      start += length;
    }
    return out;
  }

  /** The loss of each row; 0 where the target is −1. */
  static double[] crossEntropy(double[] logits, int[] targets) {
    double[] losses = new double[targets.length];
    int width = logits.length / targets.length;
    for (int r = 0; r < targets.length; r++) {
      if (targets[r] < 0) continue;
      double sum = 0;
      for (int i = 0; i < width; i++) sum += Math.exp(logits[r * width + i]);
      losses[r] = Math.log(sum) - logits[r * width + targets[r]];
    }
    return losses;
  }
}
