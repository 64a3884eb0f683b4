package dev.ridgeline.agent.record;

import dev.ridgeline.agent.hook.Sink;
import dev.ridgeline.agent.scope.ScopeTable;
import dev.ridgeline.profiler.Frame;
import dev.ridgeline.profiler.Handover;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import java.util.concurrent.CompletableFuture.AsynchronousCompletionTask;
import java.util.concurrent.ForkJoinWorkerThread;

/** From the hooks to the profiler. Nothing here may fail: it runs inside of other people's code. */
final class ProfilerSink extends Sink {
  private final ScopeTable table;
  private final Origins origins = new Origins();

  /** Gives no tasks of its program: what it runs are the virtual threads themselves. */
  private final Object virtualThreadScheduler;

  private final Class<?> poolWorker;
  private final Class<?> jdkThread;

  ProfilerSink(ScopeTable table, JdkInternals jdk) {
    this.table = table;
    this.virtualThreadScheduler = jdk.virtualThreadScheduler();
    this.poolWorker = jdk.classNamed("java.util.concurrent.ThreadPoolExecutor$Worker");
    this.jdkThread = jdk.classNamed("jdk.internal.misc.InnocuousThread");
  }

  @Override
  public Object begin(int scope) {
    Scope on = table.scope(scope);
    return on == null ? null : Profiler.scope(on);
  }

  @Override
  public void end(Object frame) {
    ((Frame) frame).close();
  }

  @Override
  public void handOver(Object task, Object to) {
    if (to != null && to == virtualThreadScheduler || servesAll(task)) return;
    Handover from = Profiler.passOn();
    if (task instanceof AsynchronousCompletionTask) {
      // Where it was asked for counts more than where its turn came.
      if (from.fromScope()) origins.putIfAbsent(task, from);
    } else if (from.fromScope()) {
      origins.put(task, from);
    } else {
      origins.forget(task);
    }
  }

  /** A thread that serves nobody in particular: a worker, the JDK's own, ours. */
  private boolean servesAll(Object task) {
    return task instanceof Thread thread
        && (thread instanceof ForkJoinWorkerThread
            || thread instanceof AgentThread
            || thread.getClass() == jdkThread);
  }

  @Override
  public void promise(Object task) {
    Handover from = Profiler.passOn();
    if (from.fromScope()) origins.put(task, from);
  }

  @Override
  public Object enter(Object task) {
    Handover from = origins.take(task);
    return from == null ? null : Profiler.enter(from);
  }

  @Override
  public Object enterThread(Runnable task) {
    // A worker lives on when the scope that needed one more of them is long over.
    return task.getClass() == poolWorker ? null : enter(Thread.currentThread());
  }

  /** Forgets where tasks come from, between sessions. */
  void forgetTasks() {
    origins.clear();
  }
}
