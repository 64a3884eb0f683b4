package dev.ridgeline.agent;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * Loads the agent and what it needs from the agent's jar, so that they meet no other version of
 * themselves: the program may have a profiler or a Jackson of its own.
 */
final class InsideLoader extends ClassLoader {
  private static final String INSIDE = "inside/";
  private static final String HOOKS = "dev.ridgeline.agent.hook.";

  static {
    registerAsParallelCapable();
  }

  private final JarFile jar;
  private final String root;

  private InsideLoader(File file) throws IOException {
    super("ridgeline-agent", ClassLoader.getPlatformClassLoader());
    this.jar = new JarFile(file);
    this.root = "jar:" + file.toURI() + "!/";
  }

  static InsideLoader over(File jar) throws IOException {
    return new InsideLoader(jar);
  }

  /** Own classes first, but for the hooks, which belong to the boot class loader. */
  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith("java.") || name.startsWith(HOOKS) || entry(file(name)) == null) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? findClass(name) : loaded;
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    ZipEntry entry = entry(file(name));
    if (entry == null) throw new ClassNotFoundException(name);
    try (InputStream in = jar.getInputStream(entry)) {
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  @Override
  public URL getResource(String name) {
    URL own = findResource(name);
    return own == null ? super.getResource(name) : own;
  }

  @Override
  protected URL findResource(String name) {
    ZipEntry entry = entry(name);
    try {
      return entry == null ? null : URI.create(root + entry.getName()).toURL();
    } catch (MalformedURLException e) {
      return null;
    }
  }

  private static String file(String className) {
    return className.replace('.', '/') + ".class";
  }

  private ZipEntry entry(String name) {
    ZipEntry inside = jar.getEntry(INSIDE + name);
    return inside == null ? jar.getEntry(name) : inside;
  }
}
