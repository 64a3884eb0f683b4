package dev.ridgeline.model.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a home of our own and with a Maven that is a small script. */
class MavenTest {
  private static final Artifact JAR = new Artifact("acme.models", "some-model", "1.0");

  @TempDir private Path folder;
  private Path home;
  private Path work;
  private Path programs;

  @BeforeEach
  void makeFolders() throws IOException {
    home = Files.createDirectory(folder.resolve("home"));
    work = Files.createDirectory(folder.resolve("work"));
    programs = Files.createDirectory(folder.resolve("programs"));
  }

  private Maven maven() {
    return new Maven(Map.of("PATH", programs + ":/usr/bin:/bin"), home);
  }

  private void script(String lines) throws IOException {
    Path script = Files.writeString(programs.resolve("mvn"), "#!/bin/sh\n" + lines);
    script.toFile().setExecutable(true);
  }

  @Test
  void theLocalRepositoryIsWhereMavenSays() throws IOException {
    assertThat(maven().localRepository()).isEqualTo(home.resolve(".m2/repository"));
    Path settings = Files.createDirectory(home.resolve(".m2")).resolve("settings.xml");
    Files.writeString(
        settings,
        """
        <?xml version="1.0"?>
        <settings xmlns="urn:any">
          <profiles><profile><localRepository>/wrong</localRepository></profile></profiles>
          <localRepository> ${user.home}/jars/${env.PART} </localRepository>
        </settings>
        """);
    assertThat(new Maven(Map.of("PART", "x"), home).localRepository())
        .isEqualTo(home.resolve("jars/x"));
    assertThat(new Maven(Map.of("MAVEN_OPTS", "-Xmx1g -Dmaven.repo.local=/r -X"), home))
        .returns(Path.of("/r"), Maven::localRepository);
    Files.writeString(settings, "<settings><local");
    assertThat(maven().localRepository()).isEqualTo(home.resolve(".m2/repository"));
  }

  @Test
  void whatIsInTheLocalRepositoryIsNotFetched() throws IOException {
    Path jar = home.resolve(".m2/repository/acme/models/some-model/1.0/some-model-1.0.jar");
    Files.createDirectories(jar.getParent());
    Files.writeString(jar, "jar");
    script("exit 1");
    assertThat(maven().jar(JAR, work, Progress.SILENT)).isEqualTo(jar);
  }

  @Test
  void mavenFetchesThatJarAlone() throws IOException {
    script("echo \"$@\" > said; touch some-model-1.0.jar");
    assertThat(maven().jar(JAR, work, Progress.SILENT))
        .isEqualTo(work.resolve("some-model-1.0.jar"));
    assertThat(work.resolve("said"))
        .content()
        .matches(
            "-q -B org\\.apache\\.maven\\.plugins:maven-dependency-plugin:[0-9.]+:copy"
                + " -Dartifact=acme\\.models:some-model:1\\.0 -DoutputDirectory=\\S+\n");
  }

  @Test
  void whatMavenSaysFirstIsTheReason() throws IOException {
    script("echo '[INFO] x'; echo '[ERROR] no network'; echo '[ERROR] re-run with -e'; exit 1");
    assertThatThrownBy(() -> maven().jar(JAR, work, Progress.SILENT))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("mvn could not fetch acme.models:some-model:1.0: no network;");
    script("exit 0");
    assertThatThrownBy(() -> maven().jar(JAR, work, Progress.SILENT))
        .hasMessageContaining("it ended with 0");
  }

  @Test
  void withoutMavenTheCoordinatesAreNamed() {
    assertThatThrownBy(
            () ->
                new Maven(Map.of("PATH", programs.toString()), home)
                    .jar(JAR, work, Progress.SILENT))
        .isInstanceOf(StoreException.class)
        .hasMessageContainingAll("acme.models:some-model:1.0", "no mvn on the PATH");
  }
}
