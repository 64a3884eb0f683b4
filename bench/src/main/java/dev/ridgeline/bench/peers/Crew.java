package dev.ridgeline.bench.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads for an engine that has none of its own; they take pieces as they come. */
final class Crew implements AutoCloseable {
  private final int size;
  private final ExecutorService threads;

  Crew(int size) {
    this.size = size;
    this.threads = Executors.newFixedThreadPool(size, Thread.ofPlatform().daemon().factory());
  }

  /** Something that one of the crew does. */
  interface Piece {
    void run(int member, int index) throws Exception;
  }

  /** Does all pieces. */
  void each(int count, Piece piece) {
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int member = i;
      all.add(
          threads.submit(
              () -> {
                for (int at = next.getAndIncrement(); at < count; at = next.getAndIncrement()) {
                  piece.run(member, at);
                }
                return null;
              }));
    }
    try {
      for (Future<?> each : all) each.get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    threads.close();
  }
}
