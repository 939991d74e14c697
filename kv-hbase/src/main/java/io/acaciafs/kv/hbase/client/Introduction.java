package io.acaciafs.kv.hbase.client;

import io.acaciafs.kv.run.FailureText;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.security.auth.login.LoginException;
import javax.security.sasl.SaslException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.security.SecurityCapability;
import org.apache.hadoop.hbase.ipc.FallbackDisallowedException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/**
 * The first words with an HBase that wants Kerberos: one request to a region server and one to the
 * master, each tried once. HBase's client tries others again until they are late, and does not say
 * then that it was a ticket that was missing. Stateless.
 */
final class Introduction {
  private static final byte[] NO_ROW = Bytes.toBytes("acacia");

  private Introduction() {}

  /** What the HBase protects, once both servers have answered. */
  static CompletableFuture<List<SecurityCapability>> to(AsyncConnection connection) {
    return connection
        .getTableBuilder(TableName.META_TABLE_NAME)
        .setMaxAttempts(1)
        .build()
        .exists(new Get(NO_ROW))
        .thenCompose(
            isThere ->
                connection.getAdminBuilder().setMaxAttempts(1).build().getSecurityCapabilities());
  }

  /** Whether one did not believe the other who it is. */
  static boolean isRefused(Throwable failure) {
    return refusal(failure) != null;
  }

  /** One line of why. */
  static String reason(Throwable failure) {
    Throwable refusal = refusal(failure);
    Throwable cause = refusal == null ? failure : refusal;
    Throwable deepest = cause;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    String text = FailureText.of(cause);
    String why = FailureText.of(deepest);
    // The JDK's own texts of SASL say why, and below that is what its parsers met.
    return text.contains(why) || text.contains("[Caused by ") ? text : text + ": " + why;
  }

  private static @Nullable Throwable refusal(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SaslException
          || cause instanceof LoginException
          || cause instanceof AccessDeniedException
          || cause instanceof FallbackDisallowedException
          || cause instanceof KeeperException.AuthFailedException
          || cause instanceof KeeperException.SessionClosedRequireAuthException
          || cause instanceof RemoteException remote
              && String.valueOf(remote.getClassName()).contains("AccessDeniedException")) {
        return cause;
      }
    }
    return null;
  }
}
