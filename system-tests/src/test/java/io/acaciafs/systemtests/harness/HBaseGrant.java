package io.acaciafs.systemtests.harness;

import io.acaciafs.kv.hbase.client.Connections;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.UserPermission;

/**
 * A program that makes a namespace in HBase and grants a user RWXCA on it, as HBase's shell would.
 * Its arguments are the address of ZooKeeper, the namespace and the user's short name.
 */
public final class HBaseGrant {
  private static final long LIMIT_S = 120;

  private HBaseGrant() {}

  /** Waits until HBase serves. */
  public static void main(String[] arguments) throws Exception {
    String namespace = arguments[1];
    var connected =
        Connections.connect(
            HBaseOptions.of(arguments[0]), connection -> connection.getAdmin().listNamespaces());
    try {
      AsyncAdmin admin = connected.connection().getAdmin();
      if (!connected.answer().contains(namespace)) {
        admin
            .createNamespace(NamespaceDescriptor.create(namespace).build())
            .get(LIMIT_S, TimeUnit.SECONDS);
      }
      admin
          .grant(
              new UserPermission(
                  arguments[2],
                  Permission.newBuilder(namespace).withActions(Permission.Action.values()).build()),
              false)
          .get(LIMIT_S, TimeUnit.SECONDS);
    } finally {
      Connections.closeQuietly(connected.connection());
    }
  }
}
