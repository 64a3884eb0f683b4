package dev.ridgeline.cli.line;

import picocli.CommandLine.IVersionProvider;

/** The program's version, from the jar it runs from. */
public final class Version implements IVersionProvider {
  public static String of() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  @Override
  public String[] getVersion() {
    return new String[] {"ridgeline " + of()};
  }
}
