package io.acaciafs.systemtests.hdfs;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FileUtil;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * For a test that writes files beside its own class or a file of settings, which are in folders in
 * Hadoop's build and in jars here: it finds both in a folder.
 */
final class ClassesInAFolder implements BeforeAllCallback, AfterAllCallback {
  private final List<String> settings;
  private ClassLoader before;
  private Path folder;

  ClassesInAFolder() {
    this(new String[0]);
  }

  /**
   * @param settings the names of files of settings that belong into the folder too
   */
  ClassesInAFolder(String... settings) {
    this.settings = List.of(settings);
  }

  private static final class FolderFirst extends ClassLoader {
    private final Path folder;

    FolderFirst(Path folder, ClassLoader parent) {
      super(parent);
      this.folder = folder;
    }

    @Override
    public URL getResource(String name) {
      Path file = folder.resolve(name);
      try {
        return Files.exists(file) ? file.toUri().toURL() : super.getResource(name);
      } catch (MalformedURLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      try {
        URL found = getResource(name);
        return found == null ? null : found.openStream();
      } catch (IOException e) {
        return null;
      }
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    before = Thread.currentThread().getContextClassLoader();
    Path clusters = Files.createDirectories(Path.of(System.getProperty("acacia.clusters")));
    folder = Files.createTempDirectory(clusters, "classes-");
    Class<?> hadoops = context.getRequiredTestClass().getSuperclass();
    copy(hadoops.getName().replace('.', '/') + ".class");
    for (String file : settings) {
      copy(file);
    }
    Thread.currentThread().setContextClassLoader(new FolderFirst(folder, before));
  }

  private void copy(String name) throws IOException {
    Path copy = folder.resolve(name);
    Files.createDirectories(copy.getParent());
    try (InputStream in = before.getResourceAsStream(name)) {
      Files.copy(in, copy);
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Thread.currentThread().setContextClassLoader(before);
    FileUtil.fullyDelete(folder.toFile());
  }
}
