package dev.ridgeline.cli.models;

import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Subcommand;
import dev.ridgeline.cli.line.Table;
import dev.ridgeline.model.store.Cache;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The {@code models} command. */
@Command(
    name = "models",
    description = {
      "Lists the models that are available by name, and those in the cache.",
      "Wherever a command takes a model, write",
      "  NAME or NAME:TYPE           a known one; types: f32, f16, bf16, q8_0 (default), q4_0, q4_k"
          + " …",
      "  FILE.gguf                   a file on this machine",
      "  hf:OWNER/REPO/FILE.gguf     a file of the model hub",
      "  synth:SHAPE:TYPE            random weights in a real shape, to study speed"
    },
    footer = {
      "  ridgeline models            what there is",
      "  ridgeline models --json     the same for a program",
      "  ridgeline pull e5-small-v2  brings one now instead of at its first use",
    })
public final class ModelsCommand extends Subcommand {
  /** A change that breaks readers raises it. */
  private static final int VERSION = 1;

  private static final Setting<Boolean> JSON = Setting.flag("--json", "Print JSON.");

  public ModelsCommand() {
    super(JSON, ModelOptions.CACHE);
  }

  @Override
  public Integer call() {
    Cache cache = ModelOptions.cache(settings);
    List<Listing> models = Listing.of(cache);
    boolean json = settings.read(JSON);
    out().print(json ? json(models) : table(models));
    return 0;
  }

  private static String table(List<Listing> models) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("name", "for", "dims", "context", "licence", "in the cache"));
    for (Listing model : models) {
      rows.add(
          List.of(
              model.name(),
              model.use() == null ? "–" : model.use(),
              number(model.dimensions()),
              number(model.context()),
              model.licence() == null ? "–" : model.licence(),
              kept(model)));
    }
    return Table.of(rows, 2, 3) + "to chat: " + ModelOptions.TO_CHAT + "\n";
  }

  private static String number(int value) {
    return value < 0 ? "–" : Quantity.count(value);
  }

  private static String kept(Listing model) {
    if (model.kept().isEmpty()) return "no; " + Quantity.bytes(model.download()) + " to fetch";
    return model.kept().stream()
        .map(
            entry ->
                model.known() == null
                    ? Quantity.bytes(entry.size())
                    : Listing.type(entry) + " " + Quantity.bytes(entry.size()))
        .collect(Collectors.joining(", "));
  }

  private static String json(List<Listing> models) {
    ObjectNode root = JsonMapper.shared().createObjectNode();
    root.put("schema", "ridgeline.models").put("version", VERSION);
    var list = root.putArray("models");
    for (Listing model : models) {
      ObjectNode node = list.addObject();
      node.put("name", model.name());
      if (model.use() != null) node.put("use", model.use());
      if (model.dimensions() >= 0) node.put("dimensions", model.dimensions());
      if (model.context() >= 0) node.put("context", model.context());
      if (model.licence() != null) node.put("licence", model.licence());
      if (model.known() != null) describe(model, node);
      var kept = node.putArray("cached");
      for (Cache.Entry entry : model.kept()) {
        ObjectNode file = kept.addObject().put("name", entry.name());
        if (model.known() != null) file.put("type", Listing.type(entry));
        file.put("bytes", entry.size()).put("path", entry.path().toString());
      }
    }
    return root.toPrettyString() + "\n";
  }

  private static void describe(Listing model, ObjectNode node) {
    var known = model.known();
    node.put("title", known.title());
    node.put("defaultType", ModelName.USUAL_TYPE.word());
    node.put("artifact", known.origin().coordinates());
    node.put("downloadBytes", known.origin().bytes());
    if (known.embedding() == null) return;
    node.put("pooling", known.embedding().pooling().name().toLowerCase());
    node.put("queryPrefix", known.embedding().queryPrefix());
    node.put("documentPrefix", known.embedding().documentPrefix());
  }
}
