package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.KernelException;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import dev.ridgeline.tensor.kernel.vector.VectorKernels;
import dev.ridgeline.tensor.tune.Tiling;
import java.lang.System.Logger.Level;
import java.util.List;

/**
 * Which family of kernels runs in this process, and why: chosen once, at the first use.
 *
 * @param kernels the family
 * @param reason why, for people: what was asked for, or what the machine has or lacks
 * @param slow whether a faster family was wanted and is missing; a warning was then logged
 */
public record KernelChoice(Kernels kernels, String reason, boolean slow) {
  /** The system property that asks for another machine's width of vectors. */
  private static final String LANES = "ridgeline.lanes";

  /**
   * What a choice depends on.
   *
   * @param assembled why assembled code cannot run, or null
   */
  record Machine(
      boolean vectorModule, String compiler, String architecture, int lanes, String assembled) {
    private static final int UNKNOWN = 0;

    static Machine here() {
      boolean module = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
      String assembled = AssembledKernels.obstacle(CpuFeatures.here());
      // To ask the Vector API takes it 50 ms: not where little is left for it to do.
      int lanes = module && assembled != null ? VectorKernels.lanes() : UNKNOWN;
      return new Machine(
          module,
          System.getProperty("java.vm.info", ""),
          System.getProperty("os.arch", ""),
          lanes,
          assembled);
    }

    /** Why vectors would crawl or fail here, or null. */
    private String obstacle() {
      if (!vectorModule) {
        return "the module jdk.incubator.vector is not loaded"
            + " (start java with --add-modules jdk.incubator.vector)";
      }
      // Without C2 each operation on a vector is a call that allocates.
      if (compiler.contains("interpreted")) return "this JVM only interprets (-Xint)";
      if (compiler.contains("emulated-client")) return "this JVM runs without C2";
      if (lanes != UNKNOWN && lanes < 8 && architecture.matches("amd64|x86_64|x86|i386")) {
        String asked = System.getProperty(LANES);
        return asked != null
            ? "-D%s=%s asks for short vectors: leave it out".formatted(LANES, asked)
            : "this CPU, or this JVM's UseAVX, has no AVX2";
      }
      return null;
    }
  }

  private static KernelChoice made;

  /**
   * The choice of this process; an {@link KernelException} says in one line what is wrong with a
   * family or a tier that was asked for.
   */
  public static synchronized KernelChoice made() {
    if (made == null) {
      requireMemory();
      requireKnown();
      made = of(System.getProperty(Kernels.PROPERTY), Machine.here()).announced();
    }
    return made;
  }

  /** Refuses a family, a tier or a width that there is none of, without choosing any. */
  public static void requireKnown() {
    requireOneOf(
        Kernels.PROPERTY, System.getProperty(Kernels.PROPERTY), "scalar", "vector", "assembled");
    requireOneOf(LANES, System.getProperty(LANES), "4", "8", "16");
    String integer = AssembledKernels.INTEGER_PROPERTY;
    requireOneOf(integer, System.getProperty(integer), "true", "false");
    AssembledKernels.requireTier();
  }

  static void requireOneOf(String property, String asked, String... known) {
    if (asked == null || List.of(known).contains(asked)) return;
    int last = known.length - 1;
    String all = String.join(", ", List.of(known).subList(0, last)) + " or " + known[last];
    throw new KernelException("-D%s=%s: say %s".formatted(property, asked, all));
  }

  /** Where a JVM denies all that is native, nothing can run, plain loops included. */
  private static void requireMemory() {
    try {
      Memory.ALL.address();
    } catch (ExceptionInInitializerError e) {
      if (!(e.getCause() instanceof IllegalCallerException)) throw e;
      Module own = KernelChoice.class.getModule();
      throw new KernelException(
          "this JVM denies native access: start java with --enable-native-access="
              + (own.isNamed() ? own.getName() : "ALL-UNNAMED"));
    }
  }

  static KernelChoice of(String asked, Machine machine) {
    String obstacle = machine.obstacle();
    String option = "-D" + Kernels.PROPERTY + "=" + asked;
    return switch (asked) {
      case null -> {
        if (machine.assembled == null) yield assembled("the fastest family here", obstacle);
        if (obstacle != null) yield new KernelChoice(new ScalarKernels(), obstacle, true);
        String reason = "nothing is assembled: " + machine.assembled;
        yield new KernelChoice(new VectorKernels(), reason, false);
      }
      case "scalar" -> new KernelChoice(new ScalarKernels(), option, false);
      case "vector" -> {
        if (!machine.vectorModule) throw new KernelException(option + ": " + obstacle);
        yield new KernelChoice(new VectorKernels(), option + though(obstacle), obstacle != null);
      }
      case "assembled" -> {
        if (machine.assembled != null) {
          throw new KernelException(option + ": " + machine.assembled);
        }
        yield assembled(option, obstacle);
      }
      default -> throw new KernelException(option + ": say scalar, vector or assembled");
    };
  }

  /** Assembled kernels, with vectors for the rest or, where there is an obstacle, plain loops. */
  private static KernelChoice assembled(String reason, String obstacle) {
    if (obstacle == null) {
      return new KernelChoice(
          new AssembledKernels(new VectorKernels(), Tiling.here()), reason, false);
    }
    var kernels = new AssembledKernels(new ScalarKernels(), Tiling.here());
    return new KernelChoice(kernels, reason + though(obstacle), false);
  }

  private static String though(String obstacle) {
    return obstacle == null ? "" : ", though " + obstacle;
  }

  /** One line: {@code vector, 16 lanes of f32 (512-bit): the fastest family here}. */
  public String description() {
    return kernels.description() + ": " + reason;
  }

  private KernelChoice announced() {
    if (slow) {
      System.getLogger(KernelChoice.class.getName())
          .log(Level.WARNING, "Slow kernels: " + description());
    }
    return this;
  }
}
