package dev.ridgeline.lab.stats;

/**
 * The universal scalability law: how throughput grows with the number of workers.
 *
 * <p>Gunther, <i>Guerrilla Capacity Planning</i> (2007): X(n) = λ·n / (1 + σ·(n − 1) + κ·n·(n −
 * 1)). σ is the part of the work that waits its turn, as in Amdahl's law; κ what every worker costs
 * every other, so that more of them may be slower. λ is the throughput of one.
 *
 * @param lambda throughput of one worker
 * @param sigma the serial fraction, 0 where nothing waits
 * @param kappa the cost of agreeing with each other, 0 where there is none
 */
public record Scalability(double lambda, double sigma, double kappa) {
  /**
   * The law that fits best: least squares of n/X(n), which is linear in 1/λ, σ/λ and κ/λ, with
   * weights that make it those of relative errors; coefficients below zero mean nothing and are
   * held at zero.
   *
   * @param workers at least one number, ascending
   * @param throughput what they reached, above zero
   */
  public static Scalability fit(double[] workers, double[] throughput) {
    if (workers.length != throughput.length || workers.length == 0) {
      throw new IllegalArgumentException(
          "%d workers, %d figures".formatted(workers.length, throughput.length));
    }
    Scalability best = null;
    double least = Double.POSITIVE_INFINITY;
    // Which of σ and κ are held at zero: the best of all that are possible.
    for (int free = 0; free < 4; free++) {
      double[] c = solve(workers, throughput, (free & 1) != 0, (free & 2) != 0);
      if (c == null || !(c[0] > 0) || c[1] < 0 || c[2] < 0) continue;
      var law = new Scalability(1 / c[0], c[1] / c[0], c[2] / c[0]);
      double error = law.error(workers, throughput);
      if (error < least * (1 - 1e-9)) {
        least = error;
        best = law;
      }
    }
    if (best == null) throw new IllegalArgumentException("throughput of zero or less");
    return best;
  }

  /**
   * Coefficients a, b, d of n/X = a + b·(n − 1) + d·n·(n − 1), weighted; null where they are not
   * determined.
   */
  private static double[] solve(
      double[] workers, double[] throughput, boolean sigma, boolean kappa) {
    int[] use =
        sigma
            ? kappa ? new int[] {0, 1, 2} : new int[] {0, 1}
            : kappa ? new int[] {0, 2} : new int[] {0};
    if (use.length > workers.length) return null;
    double[][] a = new double[use.length][use.length + 1];
    for (int i = 0; i < workers.length; i++) {
      double n = workers[i];
      double y = n / throughput[i];
      double[] terms = {1 / y, (n - 1) / y, n * (n - 1) / y};
      for (int r = 0; r < use.length; r++) {
        for (int c = 0; c < use.length; c++) a[r][c] += terms[use[r]] * terms[use[c]];
        a[r][use.length] += terms[use[r]];
      }
    }
    double[] solution = eliminate(a);
    if (solution == null) return null;
    double[] all = new double[3];
    for (int i = 0; i < use.length; i++) all[use[i]] = solution[i];
    return all;
  }

  private static double[] eliminate(double[][] a) {
    int n = a.length;
    for (int k = 0; k < n; k++) {
      int pivot = k;
      for (int r = k; r < n; r++) if (Math.abs(a[r][k]) > Math.abs(a[pivot][k])) pivot = r;
      if (Math.abs(a[pivot][k]) < 1e-12 * Math.abs(a[pivot][n]) || a[pivot][k] == 0) return null;
      double[] row = a[k];
      a[k] = a[pivot];
      a[pivot] = row;
      for (int r = 0; r < n; r++) {
        if (r == k) continue;
        double factor = a[r][k] / a[k][k];
        for (int c = k; c <= n; c++) a[r][c] -= factor * a[k][c];
      }
    }
    double[] x = new double[n];
    for (int i = 0; i < n; i++) x[i] = a[i][n] / a[i][i];
    return x;
  }

  private double error(double[] workers, double[] throughput) {
    double sum = 0;
    for (int i = 0; i < workers.length; i++) {
      double relative = throughput[i] / at(workers[i]) - 1;
      sum += relative * relative;
    }
    return sum;
  }

  /** What so many workers reach. */
  public double at(double n) {
    return lambda * n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
  }

  /** How many workers reach the most; infinite where more are always better. */
  public double peak() {
    return kappa == 0 ? Double.POSITIVE_INFINITY : Math.sqrt((1 - sigma) / kappa);
  }
}
