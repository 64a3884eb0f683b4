package dev.ridgeline.model.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Asks a hub for a file, through its redirects to wherever the bytes lie. */
record Requests(HttpClient client, Hub hub) {
  private static final int MOST_REDIRECTS = 10;

  boolean hasToken() {
    return !hub.token.isEmpty() && Hub.isGuarded(hub.endpoint);
  }

  String host() {
    return hub.endpoint.getAuthority();
  }

  /** The hub with the proxy that leads to it: when nothing comes, either may be the reason. */
  String way() {
    String proxy =
        client.proxy().stream()
            .flatMap(proxies -> proxies.select(hub.endpoint).stream())
            .map(Proxy::address)
            .filter(InetSocketAddress.class::isInstance)
            .map(InetSocketAddress.class::cast)
            .map(address -> address.getHostString() + ":" + address.getPort())
            .collect(Collectors.joining(", "));
    return proxy.isEmpty() ? host() : host() + " through the proxy " + proxy;
  }

  /**
   * The last answer, and what those before it said of the file: the hub itself knows its digest,
   * the host that it sends us to often does not.
   *
   * @param linkedTag the tag of the file behind redirects, or null
   * @param linkedSize its size, or -1
   */
  record Answer(HttpResponse<InputStream> response, String linkedTag, long linkedSize)
      implements AutoCloseable {
    int status() {
      return response.statusCode();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse(null);
    }

    long length(String name) {
      return number(response.headers().firstValue(name));
    }

    @Override
    public void close() throws IOException {
      response.body().close();
    }
  }

  Answer get(URI address, Map<String, String> headers) throws IOException {
    String linkedTag = null;
    long linkedSize = -1;
    URI next = address;
    for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      HttpResponse<InputStream> response = send(next, headers);
      var said = response.headers();
      if (linkedTag == null) linkedTag = said.firstValue("x-linked-etag").orElse(null);
      if (linkedSize < 0) linkedSize = number(said.firstValue("x-linked-size"));
      if (!isRedirect(response.statusCode())) return new Answer(response, linkedTag, linkedSize);
      response.body().close();
      next = target(next, said.firstValue("location").orElse(null));
    }
    throw new StoreException(host() + " redirects in circles");
  }

  private HttpResponse<InputStream> send(URI address, Map<String, String> headers)
      throws IOException {
    var request = HttpRequest.newBuilder(address).timeout(hub.patience.answer());
    request.header("User-Agent", "ridgeline").header("Accept-Encoding", "identity");
    headers.forEach(request::header);
    if (hasToken() && sameOrigin(address, hub.endpoint)) {
      request.header("Authorization", "Bearer " + hub.token);
    }
    try {
      return client.send(request.build(), BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  private static boolean sameOrigin(URI a, URI b) {
    return a.getScheme().equalsIgnoreCase(b.getScheme())
        && a.getHost().equalsIgnoreCase(b.getHost())
        && a.getPort() == b.getPort();
  }

  private static boolean isRedirect(int status) {
    return switch (status) {
      case 301, 302, 303, 307, 308 -> true;
      default -> false;
    };
  }

  private static URI target(URI from, String location) {
    URI to;
    try {
      to = location == null ? null : from.resolve(location);
    } catch (IllegalArgumentException _) {
      to = null;
    }
    if (to == null
        || to.getHost() == null
        || to.getPort() > Hub.LAST_PORT
        || !to.getScheme().matches("(?i)https?")) {
      throw new StoreException(from.getAuthority() + " redirects to nowhere");
    }
    if (from.getScheme().equalsIgnoreCase("https") && to.getScheme().equalsIgnoreCase("http")) {
      throw new StoreException(
          "%s redirects from https to an open line (%s)"
              .formatted(from.getAuthority(), to.getAuthority()));
    }
    return to;
  }

  private static long number(Optional<String> text) {
    return text.filter(digits -> digits.matches("\\d{1,18}")).map(Long::parseLong).orElse(-1L);
  }
}
