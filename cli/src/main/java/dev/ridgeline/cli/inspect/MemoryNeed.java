package dev.ridgeline.cli.inspect;

import dev.ridgeline.model.Embedder;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.gguf.Gguf;
import java.util.List;
import java.util.Set;

/**
 * What a model takes outside the heap, by owner, in the words of {@code profile}. It is opened as
 * {@code embed} would open it, so that no second plan of its memory can be wrong.
 */
final class MemoryNeed {
  private static final Set<String> ENCODERS = Set.of("bert", "gemma-embedding");

  private MemoryNeed() {}

  /** Every owner with its bytes; none for a file that cannot be run. */
  static List<Profile.LedgerEntry> of(Gguf file) {
    Object kind =
        file.metadata().has("general.architecture")
            ? file.metadata().value("general.architecture")
            : "";
    if (!(kind instanceof String word) || !ENCODERS.contains(word)) return List.of();
    Profiler.start(Options.of(Level.TIME));
    boolean opened = false;
    try (Embedder _ = Embedder.open(file.path())) {
      opened = true;
    } catch (RuntimeException | OutOfMemoryError _) {
      // A file may be looked at that does not run; embed says why.
    }
    Profile profile = Profiler.stop();
    return opened ? profile.ledger() : List.of();
  }

  static long total(List<Profile.LedgerEntry> owners) {
    return owners.stream().mapToLong(Profile.LedgerEntry::highWaterBytes).sum();
  }
}
