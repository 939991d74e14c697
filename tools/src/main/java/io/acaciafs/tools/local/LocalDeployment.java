package io.acaciafs.tools.local;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** A whole file system on this machine. Not thread-safe. */
interface LocalDeployment extends AutoCloseable {
  /** Where clients go, e.g. {@code hdfs://localhost:8020}. */
  URI uri();

  /** Where the pages of a NameNode are. */
  InetSocketAddress webAddress();

  /** Where the DataNode takes data. */
  InetSocketAddress dataNodeAddress();

  /** A client of its own, which the caller closes. */
  DistributedFileSystem newFileSystem() throws IOException;

  @Override
  void close() throws IOException;
}
