package dev.ridgeline.model.store;

import java.io.IOException;
import java.net.Authenticator;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * The model hub, or a mirror of it. {@code HF_TOKEN} opens private and gated repositories; it goes
 * to the hub's own host alone, and never over an open line.
 */
public final class Hub {
  /** Where it is unless {@code HF_ENDPOINT} names a mirror. */
  public static final String ENDPOINT = "https://huggingface.co";

  static final int LAST_PORT = 65_535;

  final URI endpoint;
  final String token;
  final Patience patience;
  private final Proxies proxies;

  Hub(URI endpoint, String token, Proxies proxies, Patience patience) {
    this.endpoint = endpoint;
    this.token = token;
    this.proxies = proxies;
    this.patience = patience;
  }

  /** The hub as an environment says. */
  public static Hub of(Map<String, String> environment) {
    String endpoint = environment.getOrDefault("HF_ENDPOINT", "");
    return of(endpoint.isBlank() ? ENDPOINT : endpoint, environment);
  }

  /** The hub at an address, with the token and proxies of an environment. */
  public static Hub of(String endpoint, Map<String, String> environment) {
    return of(endpoint, environment, Patience.USUAL);
  }

  static Hub of(String endpoint, Map<String, String> environment, Patience patience) {
    String token = environment.getOrDefault("HF_TOKEN", "").strip();
    if (!token.matches("[\\x21-\\x7e]*")) {
      throw new StoreException("HF_TOKEN: holds characters that no token has");
    }
    return new Hub(address(endpoint), token, new Proxies(environment), patience);
  }

  private static URI address(String endpoint) {
    try {
      URI address = new URI(endpoint.strip().replaceFirst("/+$", ""));
      String scheme = address.getScheme() == null ? "" : address.getScheme();
      boolean web = scheme.toLowerCase(Locale.ROOT).matches("https?");
      if (web && address.getHost() != null && address.getPort() <= LAST_PORT) {
        return address;
      }
    } catch (URISyntaxException _) {
      // Said below.
    }
    throw new StoreException("'%s': not the address of a hub, https://HOST".formatted(endpoint));
  }

  /** Brings a file into a folder. */
  Cache.Made pull(ModelName.OnHub name, Path folder, Progress progress) throws IOException {
    progress.step("pulling " + name);
    try (HttpClient client = client()) {
      var requests = new Requests(client, this);
      return new Download(name, address(name), requests, folder, patience, progress).run();
    }
  }

  private HttpClient client() {
    var client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1) // one stream: nothing to multiplex
            .followRedirects(HttpClient.Redirect.NEVER) // Requests does, and guards the token
            .connectTimeout(patience.connect())
            .proxy(proxies);
    Authenticator authenticator = proxies.authenticator();
    if (authenticator != null) client.authenticator(authenticator);
    return client.build();
  }

  private URI address(ModelName.OnHub name) {
    String path = "/%s/%s/resolve/main/%s".formatted(name.owner(), name.repository(), name.file());
    try {
      return URI.create(endpoint + new URI(null, null, path, null).getRawPath());
    } catch (URISyntaxException e) {
      throw new StoreException("'%s': is not an address".formatted(name), e);
    }
  }

  /** Whether a token may travel to an address: by TLS, or without leaving this machine. */
  static boolean isGuarded(URI address) {
    return address.getScheme().equalsIgnoreCase("https") || isThisMachine(address);
  }

  /** Whether an address is that of this machine, without asking anybody for it. */
  static boolean isThisMachine(URI address) {
    String host = address.getHost().toLowerCase(Locale.ROOT);
    return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.\\d{1,3}){3}");
  }
}
