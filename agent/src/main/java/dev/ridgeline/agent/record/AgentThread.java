package dev.ridgeline.agent.record;

/** A thread of the agent's own, which no scope of the program gave it as a task. */
final class AgentThread extends Thread {
  private final Runnable work;

  AgentThread(String name, Runnable work) {
    super(name);
    this.work = work;
    setDaemon(true);
  }

  @Override
  public void run() {
    work.run();
  }
}
