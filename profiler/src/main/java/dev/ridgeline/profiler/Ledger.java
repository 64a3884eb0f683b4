package dev.ridgeline.profiler;

import java.util.List;
import java.util.TreeMap;

/**
 * Memory outside the heap by owner. It belongs to the process, since memory outlives sessions; high
 * water is counted from the last session's start.
 */
final class Ledger {
  private static final TreeMap<String, Account> ACCOUNTS = new TreeMap<>();

  private Ledger() {}

  static Owned enter(String owner, long bytes) {
    if (bytes < 0) throw new IllegalArgumentException("bytes " + bytes);
    Account account;
    synchronized (ACCOUNTS) {
      account = ACCOUNTS.computeIfAbsent(owner, Account::new);
    }
    return new Owned(account, bytes);
  }

  static void startSession() {
    synchronized (ACCOUNTS) {
      ACCOUNTS.values().forEach(Account::startSession);
    }
  }

  /** Every owner that held something during the session. */
  static List<Profile.LedgerEntry> entries() {
    synchronized (ACCOUNTS) {
      return ACCOUNTS.values().stream()
          .map(Account::entry)
          .filter(entry -> entry.highWaterBytes() > 0)
          .toList();
    }
  }

  /** What one owner holds. */
  static final class Account {
    private final String owner;
    private long bytes;
    private long highWater;

    private Account(String owner) {
      this.owner = owner;
    }

    synchronized void add(long more) {
      bytes += more;
      highWater = Math.max(highWater, bytes);
    }

    private synchronized void startSession() {
      highWater = bytes;
    }

    private synchronized Profile.LedgerEntry entry() {
      return new Profile.LedgerEntry(owner, bytes, highWater);
    }
  }
}
