package dev.ridgeline.agent.record;

import dev.ridgeline.profiler.Handover;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * Where tasks come from, by the task's identity, for as long as the task lives.
 *
 * <p>Threads: any may put and take. A task is put before it is given to another thread, so that one
 * finds it there without looking twice.
 */
final class Origins {
  private static final int STRIPES = 64;

  private final Stripe[] stripes = new Stripe[STRIPES];

  Origins() {
    for (int i = 0; i < STRIPES; i++) stripes[i] = new Stripe();
  }

  /** Remembers where a task comes from; a task given several times is taken as often. */
  void put(Object task, Handover from) {
    stripe(task).put(task, from);
  }

  /** The same, unless it is known already where the task comes from. */
  void putIfAbsent(Object task, Handover from) {
    Stripe stripe = stripe(task);
    synchronized (stripe) {
      if (!stripe.contains(task)) stripe.put(task, from);
    }
  }

  /** Where a task comes from, or null; to be asked once for each time it was given. */
  Handover take(Object task) {
    Stripe stripe = stripe(task);
    return stripe.size == 0 ? null : stripe.take(task);
  }

  /** A task that is given outside of every scope now comes from nowhere. */
  void forget(Object task) {
    Stripe stripe = stripe(task);
    if (stripe.size != 0) stripe.forget(task);
  }

  void clear() {
    for (Stripe stripe : stripes) stripe.clear();
  }

  int size() {
    int size = 0;
    for (Stripe stripe : stripes) size += stripe.live();
    return size;
  }

  private Stripe stripe(Object task) {
    int hash = System.identityHashCode(task);
    return stripes[(hash ^ hash >>> 12) & (STRIPES - 1)];
  }

  private static final class Entry extends WeakReference<Object> {
    private final int hash;
    private Handover from;
    private int times = 1;
    private Entry next;

    Entry(Object task, int hash, Handover from, ReferenceQueue<Object> dead) {
      super(task, dead);
      this.hash = hash;
      this.from = from;
    }
  }

  /** A small hash table with a lock of its own. */
  private static final class Stripe {
    private final ReferenceQueue<Object> dead = new ReferenceQueue<>();
    private Entry[] table = new Entry[16];
    private int size;

    synchronized void put(Object task, Handover from) {
      expunge();
      Entry known = find(task);
      if (known != null) {
        known.from = from;
        known.times++;
        return;
      }
      if (size >= table.length) grow();
      int hash = System.identityHashCode(task);
      Entry entry = new Entry(task, hash, from, dead);
      link(entry);
      size++;
    }

    synchronized boolean contains(Object task) {
      return find(task) != null;
    }

    synchronized Handover take(Object task) {
      Entry entry = find(task);
      if (entry == null) return null;
      if (--entry.times == 0) unlink(entry);
      return entry.from;
    }

    synchronized void forget(Object task) {
      Entry entry = find(task);
      if (entry != null) unlink(entry);
    }

    synchronized void clear() {
      table = new Entry[16];
      size = 0;
    }

    synchronized int live() {
      expunge();
      return size;
    }

    private Entry find(Object task) {
      int hash = System.identityHashCode(task);
      for (Entry e = table[slot(hash)]; e != null; e = e.next) {
        if (e.hash == hash && e.refersTo(task)) return e;
      }
      return null;
    }

    private int slot(int hash) {
      return (hash ^ hash >>> 16) & (table.length - 1);
    }

    private void link(Entry entry) {
      int slot = slot(entry.hash);
      entry.next = table[slot];
      table[slot] = entry;
    }

    private void unlink(Entry entry) {
      int slot = slot(entry.hash);
      Entry before = null;
      for (Entry e = table[slot]; e != null; before = e, e = e.next) {
        if (e != entry) continue;
        if (before == null) table[slot] = e.next;
        else before.next = e.next;
        size--;
        return;
      }
    }

    private void grow() {
      Entry[] old = table;
      table = new Entry[2 * old.length];
      for (Entry first : old) {
        for (Entry e = first; e != null; ) {
          Entry next = e.next;
          link(e);
          e = next;
        }
      }
    }

    private void expunge() {
      for (Object gone; (gone = dead.poll()) != null; ) unlink((Entry) gone);
    }
  }
}
