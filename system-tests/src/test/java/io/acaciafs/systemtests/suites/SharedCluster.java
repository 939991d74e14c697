package io.acaciafs.systemtests.suites;

import io.acaciafs.systemtests.harness.Cluster;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * One cluster for all suites of this JVM, started by the first and stopped when the JVM ends.
 *
 * <p>Settings as Hadoop's {@code HDFSContract} has them: blocks of 1,024 bytes, so that small files
 * have many.
 */
final class SharedCluster {
  private SharedCluster() {}

  /** A class of its own, so that the JVM starts the cluster once and only when it is needed. */
  private static final class Holder {
    static final Cluster CLUSTER = start();

    private static Cluster start() {
      try {
        Cluster cluster =
            Cluster.builder("suites")
                .dataNodes(3)
                .set("dfs.replication", 3)
                .set("dfs.blocksize", 1024)
                .set("dfs.bytes-per-checksum", 256)
                .set("dfs.namenode.fs-limits.min-block-size", 0)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(cluster), "close-suites"));
        return cluster;
      } catch (Exception e) {
        throw new IllegalStateException("the shared cluster does not start", e);
      }
    }

    static final FileSystem USER_FILE_SYSTEM = connectAsUser();

    private static FileSystem connectAsUser() {
      try {
        CLUSTER.fileSystem().mkdirs(new Path("/tmp"));
        CLUSTER.fileSystem().setPermission(new Path("/tmp"), new FsPermission((short) 0777));
        return UserGroupInformation.createUserForTesting("someone", new String[] {"users"})
            .doAs((PrivilegedExceptionAction<FileSystem>) () -> newFileSystem(configuration()));
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException("no connection to the shared cluster", e);
      }
    }

    private static void close(Cluster cluster) {
      try {
        cluster.nameNode().kill();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  static URI uri() {
    return Holder.CLUSTER.uri();
  }

  /** A new configuration for clients. */
  static Configuration configuration() {
    return Holder.CLUSTER.clientConfiguration();
  }

  /** A client of a user without special rights, who may write below /tmp; stays open. */
  static FileSystem userFileSystem() {
    return Holder.USER_FILE_SYSTEM;
  }

  /** A client of its own, which the caller closes. */
  static FileSystem newFileSystem(Configuration conf) throws IOException {
    return FileSystem.newInstance(uri(), conf);
  }
}
