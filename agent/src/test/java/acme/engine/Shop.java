package acme.engine;

import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * A program of eight threads in which something is wrong in five places: two wait for a lock that a
 * third holds, one sleeps, one waits for a socket, two compute and one allocates. Each method is a
 * scope for who weaves it, and opens one of the same name for who records.
 */
public final class Shop {
  private static final int DAYS = 5;
  private static final int LETTERS_A_DAY = 40;

  /** Its class tells whose lock it is. */
  private static final class Ledger {
    long booked;
  }

  private final Ledger ledger = new Ledger();

  /** Days so far: what computes does so for a day, however fast the machine is. */
  private volatile int day;

  private volatile double sink;

  public static void main(String[] args) throws Exception {
    try (ExecutorService staff = Executors.newFixedThreadPool(8)) {
      run(staff);
    }
  }

  public static void run(ExecutorService staff) throws Exception {
    try (ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket letterBox = new Socket(door.getInetAddress(), door.getLocalPort());
        Socket street = door.accept()) {
      Shop shop = new Shop();
      Thread postman = new Thread(() -> shop.deliver(street), "postman");
      postman.start();
      shop.open(staff, letterBox);
      postman.join();
    }
  }

  /** Waits for all others, and does nothing itself. */
  void open(ExecutorService staff, Socket letterBox) throws Exception {
    try (var _ = Profiler.scope(Scope.of("Shop.open"))) {
      List<Callable<Void>> work = new ArrayList<>();
      for (int i = 0; i < 2; i++) work.add(() -> eachMilli(this::post));
      work.add(() -> eachMilli(this::audit));
      work.add(() -> all(today -> nap()));
      work.add(() -> all(today -> receive(letterBox)));
      for (int i = 0; i < 2; i++) work.add(() -> all(this::price));
      work.add(() -> all(this::parcel));
      for (Future<Void> one : staff.invokeAll(work)) one.get();
    }
  }

  private interface OfADay {
    void work(int today) throws Exception;
  }

  private interface Work {
    void once() throws Exception;
  }

  private Void all(OfADay work) throws Exception {
    while (day < DAYS) work.work(day);
    return null;
  }

  private Void eachMilli(Work work) throws Exception {
    while (day < DAYS) {
      work.once();
      LockSupport.parkNanos(1_000_000);
    }
    return null;
  }

  /** The clock of it all; has no scope, and so no part in any profile. */
  private void deliver(Socket street) {
    try {
      for (int letter = 1; letter <= DAYS * LETTERS_A_DAY; letter++) {
        Thread.sleep(20);
        street.getOutputStream().write(letter);
        if (letter % LETTERS_A_DAY == 0) day++;
      }
      // Whoever read the last letter before the day ended waits for another one.
      street.shutdownOutput();
    } catch (IOException | InterruptedException e) {
      day = DAYS;
    }
  }

  void post() {
    try (var _ = Profiler.scope(Scope.of("Shop.post"))) {
      synchronized (ledger) {
        ledger.booked++;
      }
    }
  }

  void audit() {
    try (var _ = Profiler.scope(Scope.of("Shop.audit"))) {
      synchronized (ledger) {
        LockSupport.parkNanos(ledger, 20_000_000);
      }
    }
  }

  void nap() throws InterruptedException {
    try (var _ = Profiler.scope(Scope.of("Shop.nap"))) {
      Thread.sleep(20);
    }
  }

  void receive(Socket letterBox) throws IOException {
    try (var _ = Profiler.scope(Scope.of("Shop.receive"))) {
      letterBox.getInputStream().read();
    }
  }

  void price(int today) {
    try (var _ = Profiler.scope(Scope.of("Shop.price"))) {
      double sum = 0;
      while (day == today) for (int i = 1; i < 10_000; i++) sum += Math.sqrt(i);
      sink = sum;
    }
  }

  void parcel(int today) {
    try (var _ = Profiler.scope(Scope.of("Shop.parcel"))) {
      double sum = 0;
      while (day == today) {
        byte[] paper = new byte[1 << 18];
        // So much that it matters on any machine, compiled well or not.
        for (int turn = 0; turn < 5; turn++) {
          for (int i = 0; i < paper.length; i++) sum += Math.sqrt(turn + i + paper[i]);
        }
        LockSupport.parkNanos(ledger, 1_000_000);
      }
      sink = sum;
    }
  }
}
