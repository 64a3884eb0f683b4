package dev.ridgeline.train.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.train.TrainException;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The published schema and the reader say the same, key by key. */
class SchemaTest {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** What the schema's objects are read into. */
  private static final Map<String, Class<? extends Record>> RECORDS =
      Map.of(
          "fresh",
          ModelConfig.Fresh.class,
          "continued",
          ModelConfig.Continued.class,
          "trained",
          TokenizerConfig.Trained.class,
          "taken",
          TokenizerConfig.Taken.class,
          "data",
          DataConfig.class,
          "optimizer",
          OptimizerConfig.class,
          "evaluate",
          EvaluateConfig.class,
          "checkpoint",
          CheckpointConfig.class,
          "sample",
          SampleConfig.class);

  private final SmallSchema schema =
      new SmallSchema(JSON.readTree(Path.of("..", "docs", "train.schema.json").toFile()));

  @TempDir Path folder;

  /** So roomy that every value of the schema fits with the others, but for the exceptions below. */
  private static final String ROOMY =
      """
      {
        "model": {
          "shape": "llama", "dim": 65536, "layers": 1, "heads": 1024, "keyHeads": 1,
          "context": 1048576
        },
        "data": {"files": "a.txt"},
        "batch": 65536,
        "steps": 10000000,
        "optimizer": {"rate": 1}
      }
      """;

  /** What must be otherwise for all values of a key to fit. */
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "model.dim", "\"heads\": 1024 → \"heads\": 1",
          "model.shape", "\"keyHeads\": 1, → ",
          "model.heads", "\"keyHeads\": 1, → ",
          "model.file",
              "\"shape\": \"llama\", \"dim\": 65536, \"layers\": 1, \"heads\": 1024, \"keyHeads\":"
                  + " 1, \"context\": 1048576 → ; \"batch\" → \"length\": 8, \"batch\"",
          "epochs", "\"steps\": 10000000, → ",
          "optimizer.rate", "\"rate\": 1 → ",
          "batch", "\"batch\": 65536, → ");

  @Test
  void recordsHaveTheKeysOfTheSchema() {
    List<String> own = new ArrayList<>(names(TrainConfig.class));
    own.set(own.indexOf("folder"), "$schema");
    assertThat(names(schema.root())).isEqualTo(own);
    JsonNode parts = schema.root().get("$defs");
    assertThat(RECORDS.keySet()).containsExactlyInAnyOrderElementsOf(parts.propertyNames());
    RECORDS.forEach(
        (name, type) -> {
          List<String> keys = new ArrayList<>(names(parts.get(name)));
          keys.remove("train"); // says which of two records it is
          assertThat(keys).as(name).isEqualTo(names(type));
        });
  }

  private static List<String> names(Class<? extends Record> type) {
    return Stream.of(type.getRecordComponents()).map(RecordComponent::getName).toList();
  }

  private static List<String> names(JsonNode object) {
    return List.copyOf(object.get("properties").propertyNames());
  }

  @Test
  void whatIsNotSaidIsAsTheSchemaSays() throws Exception {
    String json =
        """
        {
          "model": {"shape": "llama", "dim": 64, "layers": 1, "heads": 1, "context": 8},
          "data": {"files": "a.txt"}, "steps": 5000
        }
        """;
    TrainConfig config = TrainConfigFile.read(Files.writeString(folder.resolve("x.json"), json));
    assertThat(schema.against(JSON.readTree(json))).isEmpty();
    int checked = defaults(schema.root(), config);
    assertThat(checked).isGreaterThan(20);
  }

  private int defaults(JsonNode object, Record read) throws ReflectiveOperationException {
    int checked = 0;
    for (RecordComponent component : read.getClass().getRecordComponents()) {
      JsonNode rule = object.get("properties").get(component.getName());
      if (rule == null) continue;
      component.getAccessor().setAccessible(true);
      Object value = component.getAccessor().invoke(read);
      if (value instanceof Record inner) {
        JsonNode first = schema.choices(rule).getFirst();
        if (first.has("properties")) checked += defaults(first, inner);
      } else if (rule.has("default")) {
        JsonNode said = rule.get("default");
        String expected =
            said.isNumber() && value instanceof Double
                ? Double.toString(said.asDouble())
                : said.asString();
        String actual =
            value instanceof Enum<?> choice
                ? choice.name().toLowerCase(Locale.ROOT)
                : value.toString();
        assertThat(actual).as(component.getName()).isEqualTo(expected);
        checked++;
      }
    }
    return checked;
  }

  @Test
  void theReaderTakesWhatTheSchemaTakesAndRefusesTheRestByItsKey() throws IOException {
    ObjectNode roomy = (ObjectNode) JSON.readTree(ROOMY);
    assertThat(schema.against(roomy)).isEmpty();
    int taken = 0;
    int refused = 0;
    for (Probe probe : probes()) {
      ObjectNode config = config(probe.path());
      put(config, probe.path(), probe.value());
      String wrong = schema.against(config);
      String said = said(config);
      String as = probe + ", which the schema says is '" + wrong + "'";
      if (wrong.isEmpty()) {
        taken++;
        assertThat(said).as(as).isEmpty();
      } else {
        refused++;
        assertThat(said).as(as).contains(": " + probe.path() + ": ");
      }
    }
    assertThat(taken).isGreaterThan(60);
    assertThat(refused).isGreaterThan(100);
  }

  private record Probe(String path, JsonNode value) {}

  private static ObjectNode config(String path) {
    String json = ROOMY.replaceAll("\\s+", " ");
    for (String change : EXCEPTIONS.getOrDefault(path, "").split("; ")) {
      if (change.isEmpty()) continue;
      String[] sides = change.split(" → ?", 2);
      assertThat(json).contains(sides[0]);
      json = json.replace(sides[0], sides[1]);
    }
    return (ObjectNode) JSON.readTree(json);
  }

  private List<Probe> probes() {
    List<Probe> probes = new ArrayList<>();
    for (var field : schema.root().get("properties").properties()) {
      String name = field.getKey();
      if (name.equals("$schema")) continue;
      for (JsonNode rule : schema.choices(field.getValue())) {
        if (!rule.has("properties")) {
          probe(probes, name, rule);
          continue;
        }
        for (var inner : rule.get("properties").properties()) {
          // Objects of which each key needs the others are probed in the reader's own test.
          if (name.equals("tokenizer")) continue;
          for (JsonNode choice : schema.choices(inner.getValue())) {
            probe(probes, name + "." + inner.getKey(), choice);
          }
        }
        probes.add(new Probe(name + ".unheard", NODES.numberNode(1)));
      }
    }
    probes.add(new Probe("unheard", NODES.numberNode(1)));
    return probes;
  }

  private static void probe(List<Probe> probes, String path, JsonNode rule) {
    if (rule.has("const")) {
      probes.add(new Probe(path, rule.get("const")));
      probes.add(new Probe(path, NODES.stringNode("unheard")));
      return;
    }
    if (rule.has("enum")) {
      for (JsonNode value : rule.get("enum")) probes.add(new Probe(path, value));
      probes.add(new Probe(path, NODES.stringNode("unheard")));
      probes.add(new Probe(path, NODES.numberNode(1)));
      return;
    }
    switch (rule.get("type").asString()) {
      case "integer", "number" -> numbers(probes, path, rule);
      case "boolean" -> {
        probes.add(new Probe(path, NODES.booleanNode(true)));
        probes.add(new Probe(path, NODES.stringNode("true")));
      }
      case "string" -> {
        probes.add(new Probe(path, NODES.stringNode("word")));
        if (rule.has("minLength")) probes.add(new Probe(path, NODES.stringNode("")));
        if (rule.has("pattern")) probes.add(new Probe(path, NODES.stringNode("a/b")));
        probes.add(new Probe(path, NODES.booleanNode(true)));
      }
      case "array" -> {
        probes.add(new Probe(path, NODES.arrayNode().add("a.txt").add("b.txt")));
        probes.add(new Probe(path, NODES.arrayNode()));
        probes.add(new Probe(path, NODES.arrayNode().add(1)));
      }
      default -> throw new IllegalArgumentException(path);
    }
  }

  private static void numbers(List<Probe> probes, String path, JsonNode rule) {
    boolean whole = rule.get("type").asString().equals("integer");
    BigDecimal step = whole ? BigDecimal.ONE : new BigDecimal("1e-9");
    for (String bound : List.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")) {
      if (!rule.has(bound)) continue;
      BigDecimal at = rule.get(bound).decimalValue();
      boolean below = bound.equals("minimum") || bound.equals("exclusiveMaximum");
      for (BigDecimal value : List.of(at, below ? at.subtract(step) : at.add(step))) {
        probes.add(
            new Probe(
                path,
                whole
                    ? NODES.numberNode(value.longValueExact())
                    : NODES.numberNode(value.doubleValue())));
      }
    }
    probes.add(new Probe(path, NODES.stringNode("1")));
    if (whole) probes.add(new Probe(path, NODES.numberNode(1.5)));
  }

  private static void put(ObjectNode config, String path, JsonNode value) {
    int dot = path.indexOf('.');
    if (dot < 0) config.set(path, value);
    else config.withObject("/" + path.substring(0, dot)).set(path.substring(dot + 1), value);
  }

  /** What the reader says, or empty. */
  private String said(JsonNode config) throws IOException {
    Path file = Files.writeString(folder.resolve("probe.json"), config.toString());
    try {
      TrainConfigFile.read(file);
      return "";
    } catch (TrainException e) {
      return e.getMessage();
    }
  }
}
