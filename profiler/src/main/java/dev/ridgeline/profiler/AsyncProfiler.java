package dev.ridgeline.profiler;

import java.io.IOException;

/**
 * The door to an async-profiler that is loaded into this JVM, {@code
 * one.profiler.AsyncProfiler.getInstance()::execute}. The profiler itself depends on no library.
 */
@FunctionalInterface
public interface AsyncProfiler {
  /** Does what a command says, and answers its output; an IllegalStateException says why not. */
  String execute(String command) throws IOException;
}
