package dev.ridgeline.bench;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Set;

/**
 * The control of {@link AttachAgain}: hands the JVM the same classes that the real agent changes,
 * as they are, and once more when it leaves. What stays then is what redefining classes leaves in
 * any JVM: their lambdas are linked anew, as new classes.
 */
public final class IdleAgent {
  private static final Set<String> CHANGED =
      Set.of(
          "dev.ridgeline.bench.BusyProgram",
          "java.lang.Thread",
          "java.lang.VirtualThread",
          "java.util.concurrent.CompletableFuture$UniCompletion",
          "java.util.concurrent.ForkJoinPool",
          "java.util.concurrent.ForkJoinTask",
          "java.util.concurrent.ThreadPoolExecutor");

  private IdleAgent() {}

  /** The argument: milliseconds to stay. */
  public static void agentmain(String millis, Instrumentation jvm) throws Exception {
    Class<?>[] classes =
        Arrays.stream(jvm.getAllLoadedClasses())
            .filter(type -> CHANGED.contains(type.getName()))
            .toArray(Class<?>[]::new);
    ClassFileTransformer same =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader, String name, Class<?> type, ProtectionDomain from, byte[] code) {
            return code.clone();
          }
        };
    jvm.addTransformer(same, true);
    jvm.retransformClasses(classes);
    Thread.sleep(Long.parseLong(millis));
    jvm.removeTransformer(same);
    jvm.retransformClasses(classes);
  }
}
