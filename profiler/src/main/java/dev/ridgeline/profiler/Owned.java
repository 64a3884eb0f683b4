package dev.ridgeline.profiler;

/** Memory outside the heap entered in the ledger; closing it takes it out again, once. */
public final class Owned implements AutoCloseable {
  private final Ledger.Account account;
  private long bytes;

  Owned(Ledger.Account account, long bytes) {
    this.account = account;
    this.bytes = bytes;
    account.add(bytes);
  }

  /** Changes how much is held. */
  public synchronized void resize(long newBytes) {
    if (newBytes < 0) throw new IllegalArgumentException("bytes " + newBytes);
    account.add(newBytes - bytes);
    bytes = newBytes;
  }

  @Override
  public void close() {
    resize(0);
  }
}
