package dev.ridgeline.model.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A web server on the loopback address that misbehaves as told: each request is answered by the
 * next behaviour in line, and by the last one for ever. One connection, one request.
 */
final class ScriptedServer implements AutoCloseable {
  /** What came in. Header names are in small letters. */
  record Request(String method, String target, Map<String, String> headers) {
    String header(String name) {
      return headers.get(name);
    }

    /** Where a range that was asked for begins, or -1. */
    int rangeStart() {
      String range = header("range");
      return range == null ? -1 : Integer.parseInt(range.replaceAll("bytes=(\\d+)-", "$1"));
    }
  }

  /** How a request is answered; the connection is closed afterwards. */
  interface Behaviour {
    void answer(Request request, OutputStream out) throws IOException, InterruptedException;
  }

  private final ServerSocket socket;
  private final ConcurrentLinkedDeque<Behaviour> script = new ConcurrentLinkedDeque<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  ScriptedServer(Behaviour... behaviours) throws IOException {
    socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    script.addAll(List.of(behaviours));
    threads.add(Thread.ofVirtual().start(this::accept));
  }

  int port() {
    return socket.getLocalPort();
  }

  String address() {
    return "http://127.0.0.1:" + port();
  }

  List<Request> requests() {
    return new ArrayList<>(requests);
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = socket.accept();
        open.add(connection);
        threads.add(Thread.ofVirtual().start(() -> serve(connection)));
      }
    } catch (IOException _) {
      // Closed.
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      connection.setSoTimeout(10_000);
      Request request = read(connection);
      requests.add(request);
      Behaviour behaviour = script.size() > 1 ? script.poll() : script.peek();
      OutputStream out = connection.getOutputStream();
      behaviour.answer(request, out);
      out.flush();
    } catch (IOException | InterruptedException _) {
      // The client went away, or the test is over.
    }
  }

  private static Request read(Socket connection) throws IOException {
    var in =
        new BufferedReader(
            new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
    String first = in.readLine();
    if (first == null) throw new IOException("no request");
    String[] words = first.split(" ");
    Map<String, String> headers = new TreeMap<>();
    for (String line; (line = in.readLine()) != null && !line.isEmpty(); ) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return new Request(words[0], words[1], headers);
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket connection : open) connection.close();
    for (Thread thread : threads) thread.interrupt();
  }

  /** The head of an answer. */
  static byte[] head(String status, String... headers) {
    String lines = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
    return ("HTTP/1.1 " + status + "\r\nConnection: close\r\n" + lines + "\r\n")
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Only a status, with nothing behind it. */
  static Behaviour status(String status, String... headers) {
    return (_, out) -> {
      String[] all = new String[headers.length + 1];
      System.arraycopy(headers, 0, all, 1, headers.length);
      all[0] = "Content-Length: 0";
      out.write(head(status, all));
    };
  }

  /** A file that is served as it should be. */
  static FileBehaviour file(byte[] content) {
    return new FileBehaviour(content, "\"v1\"", null, Integer.MAX_VALUE, false, true);
  }

  /**
   * A file and what goes wrong with it.
   *
   * @param tag its entity tag, or null
   * @param linked the hub's tag of it, or null
   * @param most bytes sent before the line breaks
   * @param stalls whether the line then hangs instead
   * @param ranges whether the server knows ranges
   */
  record FileBehaviour(
      byte[] content, String tag, String linked, int most, boolean stalls, boolean ranges)
      implements Behaviour {
    FileBehaviour tagged(String tag) {
      return new FileBehaviour(content, tag, linked, most, stalls, ranges);
    }

    FileBehaviour linked(String linked) {
      return new FileBehaviour(content, tag, linked, most, stalls, ranges);
    }

    FileBehaviour dropsAfter(int most) {
      return new FileBehaviour(content, tag, linked, most, false, ranges);
    }

    FileBehaviour stallsAfter(int most) {
      return new FileBehaviour(content, tag, linked, most, true, ranges);
    }

    FileBehaviour ignoresRanges() {
      return new FileBehaviour(content, tag, linked, most, stalls, false);
    }

    @Override
    public void answer(Request request, OutputStream out) throws IOException, InterruptedException {
      int from = ranges ? request.rangeStart() : -1;
      String condition = request.header("if-range");
      if (condition != null && !condition.equals(tag)) from = -1;
      if (from >= content.length) {
        out.write(head("416 Range Not Satisfiable", "Content-Length: 0"));
        return;
      }
      List<String> headers = new ArrayList<>();
      int begin = Math.max(from, 0);
      headers.add("Content-Length: " + (content.length - begin));
      if (tag != null) headers.add("ETag: " + tag);
      if (linked != null) headers.add("X-Linked-Etag: " + linked);
      if (from >= 0) {
        headers.add(
            "Content-Range: bytes %d-%d/%d".formatted(from, content.length - 1, content.length));
      }
      String status = from >= 0 ? "206 Partial Content" : "200 OK";
      out.write(head(status, headers.toArray(String[]::new)));
      out.write(content, begin, Math.min(most, content.length - begin));
      out.flush();
      if (stalls) Thread.sleep(60_000);
      // The client forgets what it has not handed on when a line breaks.
      if (most < content.length - begin) Thread.sleep(20);
    }
  }
}
