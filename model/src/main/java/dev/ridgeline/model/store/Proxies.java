package dev.ridgeline.model.store;

import java.io.IOException;
import java.net.Authenticator;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The proxies of the environment, as other programs read them: {@code https_proxy}, {@code
 * http_proxy}, {@code all_proxy}, {@code no_proxy}, in small or capital letters. What the JVM was
 * told by its properties ({@code https.proxyHost}) goes before.
 */
final class Proxies extends ProxySelector {
  private static final int USUAL_PORT = 80;

  private final Map<String, String> environment;

  Proxies(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public List<Proxy> select(URI address) {
    if (System.getProperty(address.getScheme() + ".proxyHost") != null) {
      return ProxySelector.getDefault().select(address);
    }
    URI proxy = proxyFor(address);
    if (proxy == null) return List.of(Proxy.NO_PROXY);
    int port = proxy.getPort() < 0 ? USUAL_PORT : proxy.getPort();
    // Unresolved would do for the selector, but the client connects to it as it is.
    return List.of(new Proxy(Proxy.Type.HTTP, new InetSocketAddress(proxy.getHost(), port)));
  }

  @Override
  public void connectFailed(URI address, SocketAddress proxy, IOException failure) {}

  /** The proxy that leads to an address, or null. */
  URI proxyFor(URI address) {
    String scheme = address.getScheme().toLowerCase(Locale.ROOT);
    String name = scheme + "_proxy";
    String value = variable(name);
    if (value == null) value = variable(name = "all_proxy");
    // No proxy leads back to this machine.
    if (value == null || isExcepted(address) || Hub.isThisMachine(address)) return null;
    URI proxy;
    try {
      proxy = URI.create(value.contains("://") ? value : "http://" + value);
    } catch (IllegalArgumentException e) {
      throw new StoreException(name + ": not an address of a proxy, http://HOST:PORT", e);
    }
    if (!"http".equalsIgnoreCase(proxy.getScheme())
        || proxy.getHost() == null
        || proxy.getPort() > Hub.LAST_PORT) {
      throw new StoreException(name + ": only proxies at http://HOST:PORT are understood");
    }
    return proxy;
  }

  private String variable(String name) {
    String value = environment.get(name);
    if (value == null) value = environment.get(name.toUpperCase(Locale.ROOT));
    return value == null || value.isBlank() ? null : value.strip();
  }

  /** {@code no_proxy}: hosts, domains with all below them, or {@code *}; perhaps with a port. */
  private boolean isExcepted(URI address) {
    String exceptions = variable("no_proxy");
    if (exceptions == null) return false;
    String host = address.getHost().toLowerCase(Locale.ROOT);
    for (String entry : exceptions.toLowerCase(Locale.ROOT).split("[,\\s]+")) {
      String name = entry.replaceFirst("^\\*?\\.", "");
      if (entry.equals("*") || host.equals(name)) return true;
      if (!name.isEmpty() && host.endsWith("." + name)) return true;
      if (name.equals(host + ":" + port(address))) return true;
    }
    return false;
  }

  private static int port(URI address) {
    if (address.getPort() >= 0) return address.getPort();
    return address.getScheme().equalsIgnoreCase("https") ? 443 : 80;
  }

  /** Knows the name and password that stand in a proxy's address; null where none has any. */
  Authenticator authenticator() {
    boolean any =
        List.of("https_proxy", "http_proxy", "all_proxy").stream()
            .map(this::variable)
            .anyMatch(value -> value != null && value.contains("@"));
    if (!any) return null;
    // Since JDK 8 a name and password for a tunnel are withheld unless this is said.
    if (System.getProperty(TUNNEL) == null) System.setProperty(TUNNEL, "");
    return new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        return getRequestorType() == RequestorType.PROXY
            ? credentials(URI.create(getRequestingURL().toString()))
            : null;
      }
    };
  }

  private static final String TUNNEL = "jdk.http.auth.tunneling.disabledSchemes";

  private PasswordAuthentication credentials(URI address) {
    URI proxy = proxyFor(address);
    if (proxy == null || proxy.getRawUserInfo() == null) return null;
    String[] parts = proxy.getRawUserInfo().split(":", 2);
    String password = parts.length < 2 ? "" : decoded(parts[1]);
    return new PasswordAuthentication(decoded(parts[0]), password.toCharArray());
  }

  private static String decoded(String part) {
    return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
