package io.acaciafs.kv.hbase;

import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.LocalHBaseOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One HBase of one region server for all test classes of a JVM; ended with the last of them. Maven
 * runs each class by itself, so that the session lasts longer than the root of a class's context.
 */
public final class TestHBase implements ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(TestHBase.class);

  /** A running HBase, and the folder that goes with it. */
  record Running(LocalHBase hbase, Path folder) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      hbase.close();
      try (Stream<Path> files = Files.walk(folder)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == LocalHBase.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    LocalHBase hbase =
        context
            .getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE)
            .getOrComputeIfAbsent("hbase", name -> start(), Running.class)
            .hbase();
    try {
      hbase.requireAlive(); // else each of the tests to come would wait for it
    } catch (IOException e) {
      throw new ParameterResolutionException("An earlier test lost its HBase", e);
    }
    return hbase;
  }

  private static Running start() {
    try {
      Path folder = Files.createTempDirectory("hbase");
      Path classPath = Path.of(System.getProperty("acacia.hbase.classpath"));
      LocalHBase hbase = LocalHBase.start(LocalHBaseOptions.of(folder, classPath, 1));
      return new Running(hbase, folder);
    } catch (Exception e) {
      throw new IllegalStateException("HBase did not start", e);
    }
  }
}
