package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.limit.UserCost;
import io.acaciafs.rpc.limit.UserCosts;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * The account that pays for the calls of one connection: that of its user, or of the user in a
 * caller context. {@link #charge} is for any thread, the rest for the network thread.
 */
final class ConnectionAccount {
  private final ConnectionHost host;
  private final UserCosts costs;
  private final boolean byContext;
  private @Nullable UserCost cost;

  ConnectionAccount(ConnectionHost host) {
    this.host = host;
    this.costs = host.costs();
    this.byContext = host.options().fairness().byContext();
  }

  /** The client has named its user. */
  void open(UserGroupInformation user) {
    cost = costs.of(user.getShortUserName(), host.nanoTime());
  }

  boolean isOpen() {
    return cost != null;
  }

  /** Whether the user, or the user in the caller context, is isolated. */
  boolean isIsolated() {
    return cost().isIsolated();
  }

  private UserCost cost() {
    return Objects.requireNonNull(cost, "the client has named its user");
  }

  /**
   * A call has a caller context, which has an account of its own if the options say so. While the
   * present account is isolated it pays for the other contexts, too: the connection cannot be on
   * two threads.
   */
  void useContext(UserGroupInformation user, String callerContext) {
    if (byContext && !cost().isIsolated()) {
      cost = costs.of(user.getShortUserName() + " " + callerContext, host.nanoTime());
    }
  }

  /** Charges the time since {@code beginNanos}, and returns it. */
  long charge(long beginNanos) {
    long nowNanos = host.nanoTime();
    costs.charge(cost(), nowNanos - beginNanos, nowNanos);
    return nowNanos - beginNanos;
  }

  /**
   * Runs tasks on the network thread and charges the user for them, and for the time since this was
   * called or the last task ended. Any thread.
   */
  Executor executor(ConnectionChannel channel) {
    long[] lastNanos = {host.nanoTime()};
    return task -> {
      if (channel.isClosed()) {
        throw new RejectedExecutionException("The client is gone");
      }
      channel.executeOrReject(
          () -> {
            task.run();
            charge(lastNanos[0]);
            lastNanos[0] = host.nanoTime();
          });
    };
  }
}
