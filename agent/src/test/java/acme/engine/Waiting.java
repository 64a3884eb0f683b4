package acme.engine;

/** A program that works until it is ended from outside, or ends itself as its argument says. */
public final class Waiting {
  private Waiting() {}

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 10; i++) work();
    System.out.println("ready");
    switch (args.length == 0 ? "" : args[0]) {
      case "exit" -> System.exit(7);
      case "throw" -> throw new IllegalStateException("planned");
      case "busy" -> {
        busy();
        if (args[1].equals("exit")) System.exit(0);
      }
      case "fine" -> {
        for (int i = 0; i < 100_000_000; i++) Engine.spin(1);
      }
      case "often" -> {
        for (int i = 0; i < 3_000_000; i++) Engine.spin(20);
      }
      case "recursive" -> {
        long sum = 0;
        for (int i = 0; i < 70; i++) sum += fibonacci(27);
        System.out.println("sum " + sum);
      }
      case "echo" -> System.in.transferTo(System.out);
      default -> {
        while (true) {
          work();
          Thread.sleep(1);
        }
      }
    }
  }

  /** In all, 635,621 calls for 27. */
  static long fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
  }

  /** Half a second of CPU time, whatever else the machine does. */
  static long busy() {
    var threads = java.lang.management.ManagementFactory.getThreadMXBean();
    long end = threads.getCurrentThreadCpuTime() + 500_000_000;
    long sum = 0;
    while (threads.getCurrentThreadCpuTime() < end) sum += Engine.spin(10_000);
    return sum;
  }

  static int work() {
    return Engine.spin(1_000);
  }
}
