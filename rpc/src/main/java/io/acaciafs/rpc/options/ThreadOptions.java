package io.acaciafs.rpc.options;

import static io.acaciafs.rpc.options.Ranges.atLeast;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a server. Immutable.
 *
 * @param transport how the network threads serve sockets
 * @param ioThreads network threads; they also run the methods that never wait
 * @param workerThreads threads for methods that may wait
 * @param workerQueueLimit calls that may wait for a worker; the server rejects further ones with
 *     "Server too busy"
 * @param serviceProtocols protocols of servers of the cluster; connections that name one have
 *     network threads of their own, half as many, and may call no other protocol
 */
public record ThreadOptions(
    Transport.Kind transport,
    int ioThreads,
    int workerThreads,
    int workerQueueLimit,
    Set<String> serviceProtocols) {
  public ThreadOptions {
    Objects.requireNonNull(transport);
    serviceProtocols = Set.copyOf(serviceProtocols);
    atLeast(1, ioThreads, "ioThreads");
    atLeast(1, workerThreads, "workerThreads");
    atLeast(1, workerQueueLimit, "workerQueueLimit");
  }

  /** Whether a connection for this protocol belongs to a server of the cluster. */
  public boolean isService(@Nullable String protocol) {
    return protocol != null && serviceProtocols.contains(protocol);
  }
}
