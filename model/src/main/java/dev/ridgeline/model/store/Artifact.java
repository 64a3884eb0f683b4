package dev.ridgeline.model.store;

import java.nio.file.Path;

/** A jar as Maven names it. */
public record Artifact(String group, String name, String version) {

  /** {@code group:name:version}. */
  public String coordinates() {
    return group + ":" + name + ":" + version;
  }

  String fileName() {
    return name + "-" + version + ".jar";
  }

  /** Where it lies in a local repository. */
  Path in(Path repository) {
    Path folder = repository;
    for (String part : group.split("\\.")) folder = folder.resolve(part);
    return folder.resolve(name).resolve(version).resolve(fileName());
  }
}
