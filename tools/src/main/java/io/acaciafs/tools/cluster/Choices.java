package io.acaciafs.tools.cluster;

import io.acaciafs.kv.hbase.local.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import java.util.UUID;

/**
 * What was chosen when it was first asked for, and holds for all later starts: a file of {@code
 * name=value} lines. For one thread.
 */
final class Choices {
  private final Path file;
  private final Properties values = new Properties();

  private Choices(Path file) {
    this.file = file;
  }

  /** Reads what earlier starts have chosen. */
  static Choices open(Path file) throws IOException {
    Choices choices = new Choices(file);
    if (Files.exists(file)) {
      try (InputStream in = Files.newInputStream(file)) {
        choices.values.load(in);
      }
    }
    return choices;
  }

  /** An address of this machine for a name. */
  String address(String name) throws IOException {
    String address = values.getProperty(name);
    return address == null ? choose(name, "127.0.0.1:" + FreePorts.next()) : address;
  }

  /** The port of {@link #address}. */
  String port(String name) throws IOException {
    String address = address(name);
    return address.substring(address.indexOf(':') + 1);
  }

  /** The id that both block pools have, or a DataNode would refuse the second one. */
  String clusterId() throws IOException {
    String id = values.getProperty("clusterId");
    return id == null ? choose("clusterId", "CID-" + UUID.randomUUID()) : id;
  }

  private String choose(String name, String value) throws IOException {
    values.setProperty(name, value);
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try (OutputStream out = Files.newOutputStream(part)) {
      values.store(out, null);
    }
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return value;
  }
}
