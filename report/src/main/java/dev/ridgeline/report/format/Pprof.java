package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.report.Quantity;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;

/**
 * Scopes as gzipped {@code profile.proto}, what {@code go tool pprof} reads: a stack for each place
 * of the merged tree, labelled with the thread that was there.
 *
 * <p>Times are raw self times, so that their sum is the profile's thread time to the nanosecond.
 */
public final class Pprof {
  // Fields of profile.proto, by message.
  private static final int SAMPLE_TYPE = 1;
  private static final int SAMPLE = 2;
  private static final int MAPPING = 3;
  private static final int LOCATION = 4;
  private static final int FUNCTION = 5;
  private static final int STRING_TABLE = 6;
  private static final int TIME_NANOS = 9;
  private static final int DURATION_NANOS = 10;
  private static final int COMMENT = 13;
  private static final int DEFAULT_SAMPLE_TYPE = 14;
  private static final int TYPE_NAME = 1;
  private static final int TYPE_UNIT = 2;
  private static final int SAMPLE_LOCATIONS = 1;
  private static final int SAMPLE_VALUES = 2;
  private static final int SAMPLE_LABEL = 3;
  private static final int LABEL_KEY = 1;
  private static final int LABEL_TEXT = 2;
  private static final int ID = 1;
  private static final int[] MAPPING_HAS_NAMES = {7, 8, 9};
  private static final int LOCATION_MAPPING = 2;
  private static final int LOCATION_LINE = 4;
  private static final int LINE_FUNCTION = 1;
  private static final int FUNCTION_NAME = 2;

  private final Profile profile;
  private final CallTree tree;
  private final Stacks stacks;
  private final OutputStream out;
  private final Proto file = new Proto();
  private final Map<String, Long> strings = new LinkedHashMap<>();

  private Pprof(Profile profile, OutputStream out) {
    this.profile = profile;
    this.tree = profile.tree();
    this.stacks = new Stacks(tree);
    this.out = out;
    text("");
  }

  /** Writes {@code cpu.pb.gz}: calls, time and, where declared, bytes and FLOPs. */
  public static void cpu(Profile profile, OutputStream out) throws IOException {
    // Written without a date, so that the same profile is the same file.
    GZIPOutputStream zip = new GZIPOutputStream(out, 1 << 13);
    new Pprof(profile, zip).cpu();
    zip.finish();
  }

  /** Writes {@code alloc.pb.gz}: heap bytes by the threads' own counters. */
  public static void allocation(Profile profile, OutputStream out) throws IOException {
    GZIPOutputStream zip = new GZIPOutputStream(out, 1 << 13);
    new Pprof(profile, zip).allocation();
    zip.finish();
  }

  private void cpu() throws IOException {
    boolean work = tree.root().children().stream().anyMatch(node -> node.work().declared());
    type("calls", "count");
    if (work) {
      type("bytes", "bytes");
      type("flops", "count");
    }
    // The last one is what viewers show that do not look for a default.
    type("time", "nanoseconds");
    WorkAlone bytes = new WorkAlone(tree, Work::bytes);
    WorkAlone flops = new WorkAlone(tree, Work::flops);
    for (int l = 0; l < profile.lanes().size(); l++) {
      Lane lane = profile.lanes().get(l);
      for (int i = 0; i < lane.nodes().size(); i++) {
        Profile.Node node = lane.nodes().get(i);
        Node place = tree.places(l).get(i);
        long calls = node.time().calls();
        long self = node.time().selfNanos();
        if (work) {
          long ownBytes = bytes.own(place, node.work());
          long ownFlops = flops.own(place, node.work());
          sample(place, lane.thread(), calls, ownBytes, ownFlops, self);
        } else {
          sample(place, lane.thread(), calls, self);
        }
      }
    }
    for (Node place : tree.nodes()) {
      if (work) sample(place, null, 0, bytes.rest(place), flops.rest(place), 0);
    }
    comment("raw times: the recorder's own cost of a scope is still in them");
    silenced("bytes", bytes);
    silenced("FLOPs", flops);
    end("time");
  }

  private void silenced(String kind, WorkAlone work) {
    if (work.silenced() == 0) return;
    String places = Quantity.many(work.silenced(), "place");
    comment(kind + " left out of " + places + ", for a scope around them declares less");
  }

  private void allocation() throws IOException {
    type("alloc_space", "bytes");
    List<String> silent = new ArrayList<>();
    for (int l = 0; l < profile.lanes().size(); l++) {
      Lane lane = profile.lanes().get(l);
      boolean known = true;
      for (int i = 0; i < lane.nodes().size(); i++) {
        Profile.Allocation allocation = lane.nodes().get(i).allocation();
        if (allocation.known())
          sample(tree.places(l).get(i), lane.thread(), allocation.selfBytes());
        known &= allocation.known();
      }
      if (!known) silent.add(lane.thread());
    }
    if (!silent.isEmpty()) {
      comment("left out, for what they allocate is unknown: " + String.join(", ", silent));
    }
    end("alloc_space");
  }

  private void type(String name, String unit) throws IOException {
    file.message(
        SAMPLE_TYPE, new Proto().number(TYPE_NAME, text(name)).number(TYPE_UNIT, text(unit)));
    file.flush(out);
  }

  private void sample(Node place, String thread, long... values) throws IOException {
    if (Arrays.stream(values).allMatch(value -> value == 0)) return;
    long[] locations = stacks.leafFirst(place).stream().mapToLong(frame -> frame + 1).toArray();
    Proto sample = new Proto().packed(SAMPLE_LOCATIONS, locations).packed(SAMPLE_VALUES, values);
    if (thread != null) {
      sample.message(
          SAMPLE_LABEL,
          new Proto().number(LABEL_KEY, text("thread")).number(LABEL_TEXT, text(thread)));
    }
    file.message(SAMPLE, sample);
    file.flush(out);
  }

  private void comment(String comment) {
    file.number(COMMENT, text(comment));
  }

  private void end(String shownFirst) throws IOException {
    List<String> names = stacks.names();
    for (int i = 0; i < names.size(); i++) {
      // A location and a function for each name, numbered from 1.
      file.message(
          FUNCTION, new Proto().number(ID, i + 1).number(FUNCTION_NAME, text(names.get(i))));
      Proto line = new Proto().number(LINE_FUNCTION, i + 1);
      Proto location = new Proto().number(ID, i + 1).number(LOCATION_MAPPING, 1);
      file.message(LOCATION, location.message(LOCATION_LINE, line));
    }
    // Without a mapping that has its names already, pprof looks for a program to find them in.
    Proto mapping = new Proto().number(ID, 1);
    for (int has : MAPPING_HAS_NAMES) mapping.number(has, 1);
    file.message(MAPPING, mapping);
    file.number(TIME_NANOS, epochNanos(profile.started()));
    file.number(DURATION_NANOS, profile.wallNanos());
    file.number(DEFAULT_SAMPLE_TYPE, text(shownFirst));
    for (String string : strings.keySet()) file.text(STRING_TABLE, string);
    file.flush(out);
  }

  private long text(String text) {
    return strings.computeIfAbsent(text, _ -> (long) strings.size());
  }

  static long epochNanos(Instant time) {
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }
}
