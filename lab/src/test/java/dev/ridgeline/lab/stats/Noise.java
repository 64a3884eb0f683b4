package dev.ridgeline.lab.stats;

import java.util.Random;

/** What one measurement adds to the truth; a difference has the noise of two. */
enum Noise {
  NORMAL {
    @Override
    double of(Random random) {
      return random.nextGaussian();
    }
  },
  /** Student's t with two degrees of freedom: no variance. */
  HEAVY {
    @Override
    double of(Random random) {
      return random.nextGaussian() / Math.sqrt(-Math.log(1 - random.nextDouble()));
    }
  },
  /** Cauchy's: no mean either. */
  WILD {
    @Override
    double of(Random random) {
      return Math.tan(Math.PI * (random.nextDouble() - 0.5));
    }
  },
  /** Skewed, as times are. */
  LOGNORMAL {
    @Override
    double of(Random random) {
      return Math.exp(1.5 * random.nextGaussian());
    }
  },
  /** Every third process comes out slower and stays so, as forks of a JVM do. */
  BIMODAL {
    @Override
    double of(Random random) {
      return 0.1 * random.nextGaussian() + (random.nextInt(3) == 0 ? 2 : 0);
    }
  };

  abstract double of(Random random);

  /** Differences of two arms with this noise each, about a centre. */
  double[] differences(Random random, int n, double centre) {
    double[] d = new double[n];
    for (int i = 0; i < n; i++) d[i] = centre + of(random) - of(random);
    return d;
  }
}
