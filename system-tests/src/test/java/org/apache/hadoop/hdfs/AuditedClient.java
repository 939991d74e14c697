package org.apache.hadoop.hdfs;

import io.acaciafs.systemtests.harness.Cluster;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.ipc.RPC;

/**
 * Clients for tests that capture the audit log in their own process: when a call returns, the lines
 * that the NameNode's process wrote for it are in there too.
 */
final class AuditedClient {
  private AuditedClient() {}

  /** Where the audit log of this process is on: it is off unless a test captures it. */
  static boolean isWanted() {
    return FSNamesystem.AUDIT_LOG.isInfoEnabled();
  }

  /** Of the caller, who closes it. */
  static DistributedFileSystem open(Cluster cluster, Configuration conf) throws IOException {
    DistributedFileSystem fileSystem =
        (DistributedFileSystem) FileSystem.newInstance(cluster.uri(), conf);
    ClientProtocol calls = fileSystem.getClient().getNamenode();
    fileSystem.dfs = new DFSClient(null, audited(calls, new AuditLines(cluster, true)), conf, null);
    return fileSystem;
  }

  private static ClientProtocol audited(ClientProtocol calls, AuditLines lines) {
    return (ClientProtocol)
        Proxy.newProxyInstance(
            ClientProtocol.class.getClassLoader(),
            new Class<?>[] {ClientProtocol.class, Closeable.class},
            (proxy, method, arguments) -> {
              if (method.getDeclaringClass() == Closeable.class) {
                RPC.stopProxy(calls);
                return null;
              }
              try {
                return method.invoke(calls, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              } finally {
                for (String line : lines.take()) {
                  FSNamesystem.AUDIT_LOG.info(line.substring(line.indexOf("allowed=")));
                }
              }
            });
  }
}
