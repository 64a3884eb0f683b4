package dev.ridgeline.model.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxiesTest {
  private static URI proxy(Map<String, String> environment, String address) {
    return new Proxies(environment).proxyFor(URI.create(address));
  }

  @Test
  void eachSchemeHasItsProxy() {
    var environment = Map.of("https_proxy", "http://a:1", "HTTP_PROXY", "b:2");
    assertThat(proxy(environment, "https://hub.example/x")).hasToString("http://a:1");
    assertThat(proxy(environment, "http://hub.example/x")).hasToString("http://b:2");
    assertThat(proxy(Map.of("all_proxy", "http://c:3"), "https://hub.example")).hasPort(3);
    assertThat(proxy(Map.of("https_proxy", ""), "https://hub.example")).isNull();
    assertThat(proxy(environment, "http://127.0.0.1:80/x")).isNull();
    assertThat(proxy(environment, "http://127.0.0.1.example/x")).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({
    "hub.example,            true",
    "'x, hub.example',       true",
    "example,                true",
    ".example,               true",
    "*.example,              true",
    "*,                      true",
    "HUB.EXAMPLE,            true",
    "hub.example:443,        true",
    "hub.example:8080,       false",
    "ub.example,             false",
    "other.hub.example,      false",
    "'.',                    false",
  })
  void exceptionsGoStraight(String exceptions, boolean straight) {
    var environment = Map.of("https_proxy", "http://a:1", "no_proxy", exceptions);
    assertThat(proxy(environment, "https://hub.example/x") == null).isEqualTo(straight);
  }

  @ParameterizedTest
  @CsvSource({"socks5://a:1", "http://", "'http://a b'", "ftp://a"})
  void aProxyThatCannotBeUsedIsSaidByItsVariable(String value) {
    assertThatThrownBy(() -> proxy(Map.of("https_proxy", value), "https://hub.example"))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("https_proxy: ");
  }
}
