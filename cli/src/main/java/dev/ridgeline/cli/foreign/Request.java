package dev.ridgeline.cli.foreign;

import dev.ridgeline.agent.record.AgentOptions;
import dev.ridgeline.cli.line.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is asked of the agent, checked before anything is started.
 *
 * @param options as the agent reads them, by name
 */
public record Request(Map<String, List<String>> options) {
  public Request {
    options = new LinkedHashMap<>(options);
  }

  /** The same with one option more. */
  Request with(String name, String value) {
    Map<String, List<String>> more = new LinkedHashMap<>(options);
    more.put(name, List.of(value));
    return new Request(more);
  }

  /** As the agent gets it; what is wrong with it is a {@link Problem}. */
  String text() {
    String text = AgentOptions.write(options);
    try {
      AgentOptions.parse(text, null);
      return text;
    } catch (IllegalArgumentException e) {
      throw new Problem(e.getMessage(), e);
    }
  }
}
