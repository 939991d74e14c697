package io.acaciafs.namenode;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.EngineProvider;
import io.acaciafs.namenode.settings.SettingsCheck;
import io.acaciafs.namenode.store.Engines;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.web.WebServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads what every start needs and what takes long, while the start is still busy with its
 * configuration. Only things that need nothing else: the part that needs one before it is there
 * waits for it, and fails if it cannot be loaded.
 */
final class LoadAhead {
  private static final Logger LOG = LoggerFactory.getLogger(LoadAhead.class);

  private static final long LOOK_AGAIN_MS = 250;

  /**
   * For two seconds: the leader has come to serve, and the processor is no longer for its start.
   */
  private static final int LOOKS_IN_A_ROW = 8;

  /** Within ten minutes. */
  private static final int MOST_LOOKS = 4 * 600;

  private static final String SUFFIX = ".class";

  /** One class of each module that only the leader uses as a whole, from the bottom to the top. */
  private static final List<Class<?>> WHEN_LEADING =
      List.of(Namespace.class, BlockManager.class, WebServer.class, Assembly.class);

  /** Hadoop's, with the classes in them. */
  private static final List<Class<?>> MESSAGES =
      List.of(
          HdfsProtos.class,
          ClientNamenodeProtocolProtos.class,
          DatanodeProtocolProtos.class,
          HdfsServerProtos.class);

  private LoadAhead() {}

  /** Starts the thread, which ends by itself. */
  static void begin() {
    start(LoadAhead::load, Thread.NORM_PRIORITY);
  }

  /**
   * Begins to load what a NameNode needs that takes over from another one: a third of a second of
   * reading class files, in which nobody would be served. Not before there is one to take over from
   * for a while, so that it delays no start.
   *
   * @param follows whether another one leads
   */
  static void beginForTakeOver(BooleanSupplier follows) {
    start(
        () -> {
          if (awaitCalm(follows)) {
            loadForTakeOver();
          }
        },
        Thread.MIN_PRIORITY);
  }

  private static boolean awaitCalm(BooleanSupplier follows) {
    int inRow = 0;
    try {
      for (int i = 0; i < MOST_LOOKS && inRow < LOOKS_IN_A_ROW; i++) {
        inRow = follows.getAsBoolean() ? inRow + 1 : 0;
        TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return inRow == LOOKS_IN_A_ROW;
  }

  private static void start(Runnable task, int priority) {
    Thread thread = new Thread(task, "load-ahead");
    thread.setDaemon(true);
    thread.setPriority(priority);
    thread.start();
  }

  private static void loadForTakeOver() {
    WHEN_LEADING.forEach(one -> load(() -> classesBeside(one)));
    MESSAGES.forEach(messages -> load(() -> classesIn(messages)));
  }

  /** Names classes. */
  @FunctionalInterface
  private interface Names {
    List<String> find() throws IOException, URISyntaxException;
  }

  private static void load(Names names) {
    try {
      for (String name : names.find()) {
        Class.forName(name, true, LoadAhead.class.getClassLoader());
      }
    } catch (IOException | URISyntaxException | ClassNotFoundException | LinkageError e) {
      LOG.debug("Could not be loaded ahead", e);
    }
  }

  private static List<String> classesIn(Class<?> one) {
    return Stream.of(one.getDeclaredClasses()).map(Class::getName).toList();
  }

  /** All classes of the jar, or of the folder, of one of them. */
  private static List<String> classesBeside(Class<?> one) throws IOException, URISyntaxException {
    Path place = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(place)) {
      try (Stream<Path> files = Files.walk(place)) {
        return names(files.map(file -> place.relativize(file).toString()));
      }
    }
    try (JarFile jar = new JarFile(place.toFile())) {
      return names(jar.stream().map(JarEntry::getName));
    }
  }

  private static List<String> names(Stream<String> files) {
    return files
        .filter(file -> file.endsWith(SUFFIX) && !file.endsWith("-info" + SUFFIX))
        .map(file -> file.substring(0, file.length() - SUFFIX.length()).replace('/', '.'))
        .toList();
  }

  private static void load() {
    try {
      SettingsCheck.load();
      Engines.all().forEach(EngineProvider::loadAhead);
      ClientNamenodeProtocolProtos.getDescriptor();
      DatanodeProtocolProtos.getDescriptor();
    } catch (StoreException | LinkageError e) {
      // the part that needs it fails with the same, and is heard
      LOG.debug("Could not be loaded ahead", e);
    }
  }
}
