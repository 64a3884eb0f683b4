package dev.ridgeline.agent.record;

import dev.ridgeline.profiler.AsyncProfiler;
import java.lang.reflect.Constructor;

/**
 * The async-profiler that the JVM has loaded as an agent of its own, {@code -agentpath}. So the JVM
 * links its functions by itself and warns of no native access, and our jar carries no library.
 */
final class LoadedAsyncProfiler {
  private LoadedAsyncProfiler() {}

  static AsyncProfiler find() {
    try {
      // Not getInstance(): where nothing is loaded it looks for a library of its own choice.
      Constructor<one.profiler.AsyncProfiler> make =
          one.profiler.AsyncProfiler.class.getDeclaredConstructor();
      make.setAccessible(true);
      one.profiler.AsyncProfiler loaded = make.newInstance();
      loaded.getVersion();
      return loaded::execute;
    } catch (UnsatisfiedLinkError e) {
      throw new IllegalArgumentException(
          "sampler=async: async-profiler is not in this JVM; add"
              + " -agentpath:/path/to/libasyncProfiler.so before -javaagent, or use ridgeline"
              + " profile",
          e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("sampler=async: " + e, e);
    }
  }
}
