package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;

/** Asks once, and at once says whether a NameNode answered. */
final class Probe implements AutoCloseable {
  private final DFSClient client;

  Probe(URI uri, Configuration site) throws IOException {
    Configuration conf = new Configuration(site);
    conf.set("ipc.client.connect.max.retries", "0");
    conf.set("ipc.client.connect.max.retries.on.timeouts", "0");
    client = new DFSClient(uri, conf);
  }

  boolean answers() {
    try {
      return client.getFileInfo("/") != null;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
