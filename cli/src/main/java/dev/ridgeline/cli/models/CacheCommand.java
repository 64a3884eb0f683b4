package dev.ridgeline.cli.models;

import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Subcommand;
import dev.ridgeline.cli.line.Table;
import dev.ridgeline.model.store.Cache;
import dev.ridgeline.model.store.Catalog;
import dev.ridgeline.report.Quantity;
import java.io.PrintWriter;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The {@code cache} command. */
@Command(
    name = "cache",
    description = "Shows the models that are kept on this machine, checks them, or clears them.",
    footer = {
      "  ridgeline cache                        what is kept, how large, when last used",
      "  ridgeline cache --verify               reads every byte and checks the digests",
      "  ridgeline cache clear e5-small-v2      forgets one model in all its types",
      "  ridgeline cache clear                  forgets all",
      "",
      "Exit code 1: --verify found a damaged model. After 'cache clear NAME' it is fetched or made"
          + " again when it is used.",
    })
public final class CacheCommand extends Subcommand {
  private static final int VERSION = 1;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneId.systemDefault());

  private static final Setting<Boolean> JSON = Setting.flag("--json", "Print JSON.");
  private static final Setting<Boolean> VERIFY =
      Setting.flag("--verify", "Read every model whole and check its digest.");

  public CacheCommand() {
    super(VERIFY, JSON, ModelOptions.CACHE);
  }

  @Parameters(
      arity = "0..1",
      index = "0",
      paramLabel = "clear",
      description = "Delete instead of showing.")
  private String action;

  @Parameters(
      arity = "0..1",
      index = "1",
      paramLabel = "NAME",
      description = "What to delete: a name as listed, or one without its type (default: all).")
  private String name;

  @Override
  public Integer call() {
    Cache cache = ModelOptions.cache(settings);
    PrintWriter out = out();
    if (action != null) return clear(cache, out);
    List<Row> rows = rows(cache);
    if (settings.read(JSON)) out.println(json(cache, rows));
    else out.print(text(cache, rows));
    return rows.stream().anyMatch(Row::damaged) ? ExitCode.BAD_ANSWER : 0;
  }

  /**
   * An entry and what is known of it.
   *
   * @param whole whether its digest is right, or null if nobody asked
   * @param folder the option that names its folder, to be typed again
   */
  private record Row(Cache.Entry entry, Boolean whole, String folder) {
    boolean damaged() {
      return entry.finished() && Boolean.FALSE.equals(whole);
    }

    String state() {
      if (!entry.finished()) return "unfinished";
      if (whole == null) return "";
      return whole ? "sound" : "damaged: ridgeline cache clear " + entry.name() + folder;
    }
  }

  private List<Row> rows(Cache cache) {
    boolean verify = settings.read(VERIFY);
    List<Row> rows = new ArrayList<>();
    try (Progress progress = progress()) {
      for (Cache.Entry entry : cache.entries()) {
        boolean check = verify && entry.finished();
        Boolean whole = check ? (Boolean) cache.verify(entry, progress) : null;
        rows.add(new Row(entry, whole, settings.again(ModelOptions.CACHE)));
      }
    }
    return rows;
  }

  private static String text(Cache cache, List<Row> rows) {
    if (rows.isEmpty()) return "no models in " + cache.folder() + " yet; see ridgeline models\n";
    List<List<String>> cells = new ArrayList<>();
    cells.add(List.of("model", "size", "last use", ""));
    for (Row row : rows) {
      cells.add(
          List.of(
              row.entry().name(),
              Quantity.bytes(row.entry().size()),
              TIME.format(row.entry().lastUse()),
              row.state()));
    }
    long total = rows.stream().mapToLong(row -> row.entry().size()).sum();
    return Table.of(cells, 1) + "%s in %s\n".formatted(Quantity.bytes(total), cache.folder());
  }

  private static String json(Cache cache, List<Row> rows) {
    ObjectNode root = JsonMapper.shared().createObjectNode();
    root.put("schema", "ridgeline.cache").put("version", VERSION);
    root.put("folder", cache.folder().toString());
    var list = root.putArray("entries");
    for (Row row : rows) {
      Cache.Entry entry = row.entry();
      ObjectNode node = list.addObject();
      node.put("name", entry.name()).put("path", entry.path().toString());
      node.put("bytes", entry.size()).put("lastUse", entry.lastUse().toString());
      node.put("finished", entry.finished());
      if (entry.finished()) node.put("sha256", entry.digest());
      if (row.whole() != null) node.put("sound", row.whole());
    }
    return root.toPrettyString();
  }

  private int clear(Cache cache, PrintWriter out) {
    if (!action.equals("clear")) {
      throw new Problem("cache '%s': only 'clear' can be done to a cache".formatted(action));
    }
    List<Cache.Entry> entries = cache.entries();
    List<Cache.Entry> chosen =
        name == null
            ? entries
            : entries.stream().filter(entry -> isMeant(entry.name(), name)).toList();
    if (chosen.isEmpty() && name != null) {
      throw new Problem("no model '%s' in %s; see ridgeline cache".formatted(name, cache.folder()));
    }
    Rehearsal.endsHere();
    long freed = 0;
    try (Progress progress = progress()) {
      for (Cache.Entry entry : chosen) {
        cache.delete(entry, progress);
        freed += entry.size();
      }
    }
    out.println(
        "cleared %s, %s".formatted(Quantity.many(chosen.size(), "model"), Quantity.bytes(freed)));
    tellOfUnread();
    return 0;
  }

  /** The whole name, or the name without its type, or that of the catalog for a file of the hub. */
  private static boolean isMeant(String entry, String name) {
    return entry.equalsIgnoreCase(name)
        || entry.toLowerCase().startsWith(name.toLowerCase() + ":")
        || Catalog.models().stream()
            .filter(model -> model.origin().coordinates().equals(entry))
            .anyMatch(model -> model.name().equalsIgnoreCase(name));
  }
}
