package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Which NameNode a cluster runs: the one under test, Hadoop's own to compare with, or an earlier
 * version to upgrade.
 */
public enum NameNodeProgram {
  /** Acacia's, by the command that users start. */
  ACACIA("io.acaciafs.tools.Acacia") {
    @Override
    List<String> formatArguments(String clusterId) {
      return List.of("format", "-nonInteractive", "-clusterid", clusterId);
    }

    @Override
    List<String> serveArguments() {
      return List.of("namenode");
    }

    @Override
    boolean keepsOnClassPath(String entry) {
      return !isTestArtifact(entry);
    }

    @Override
    List<String> sharedClasses() throws IOException {
      return ClassArchive.options();
    }

    /** As {@code bin/acacia} has it: what is shared leads. */
    @Override
    List<String> classPath(Path conf) {
      return Stream.concat(classPath().stream(), Stream.of(conf.toString())).toList();
    }
  },

  /** An earlier version of Acacia, built in the folder that {@code -Dacacia.earlier-home} names. */
  EARLIER("io.acaciafs.tools.Acacia") {
    @Override
    List<String> formatArguments(String clusterId) {
      return ACACIA.formatArguments(clusterId);
    }

    @Override
    List<String> serveArguments() {
      return ACACIA.serveArguments();
    }

    @Override
    boolean keepsOnClassPath(String entry) {
      return false;
    }

    @Override
    List<String> sharedClasses() {
      return List.of();
    }

    /** As {@code bin/acacia} has written it down there. */
    @Override
    List<String> classPath(Path conf) throws IOException {
      Path target = Path.of(System.getProperty("acacia.earlier-home"), "tools", "target");
      List<String> entries = new ArrayList<>();
      try (Stream<Path> jars = Files.list(target)) {
        jars.filter(jar -> jar.getFileName().toString().matches("acacia-tools-.*SNAPSHOT\\.jar"))
            .forEach(jar -> entries.add(jar.toString()));
      }
      entries.add(Files.readString(target.resolve("classpath")).trim());
      entries.add(conf.toString());
      return entries;
    }
  },

  /** Hadoop's. */
  HADOOP("org.apache.hadoop.hdfs.server.namenode.NameNode") {
    @Override
    List<String> formatArguments(String clusterId) {
      return List.of("-format", "-nonInteractive", "-clusterId", clusterId);
    }

    @Override
    List<String> serveArguments() {
      return List.of();
    }

    @Override
    boolean keepsOnClassPath(String entry) {
      // It does not start without its web application, which is only in this jar.
      return !isTestArtifact(entry) || entry.matches(".*/hadoop-hdfs-[^/]*-tests\\.jar");
    }

    @Override
    List<String> sharedClasses() {
      return List.of();
    }

    /** The jar of the tests has settings, too. */
    @Override
    List<String> classPath(Path conf) {
      return Stream.concat(Stream.of(conf.toString()), classPath().stream()).toList();
    }
  };

  private final String mainClass;

  NameNodeProgram(String mainClass) {
    this.mainClass = mainClass;
  }

  /** The one that {@code -Dacacia.under-test} names. */
  public static NameNodeProgram underTest() {
    String name = System.getProperty("acacia.under-test", "acacia");
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  abstract List<String> formatArguments(String clusterId);

  abstract List<String> serveArguments();

  abstract boolean keepsOnClassPath(String entry);

  /** Options for the JVM to share what another one has read of the classes. */
  abstract List<String> sharedClasses() throws IOException;

  /** The class path with a folder of settings. */
  abstract List<String> classPath(Path conf) throws IOException;

  /** The main class and its arguments as one command. */
  List<String> command(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }

  /** The tests' own class path without the tests: a daemon must not find their settings. */
  List<String> classPath() {
    Predicate<String> kept = this::keepsOnClassPath;
    return Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
        .filter(kept)
        .toList();
  }

  private static boolean isTestArtifact(String entry) {
    return entry.endsWith("-tests.jar")
        || entry.endsWith("-test-sources.jar")
        || entry.contains("test-classes")
        || entry.endsWith("system-tests/target/classes"); // where there is nothing
  }
}
