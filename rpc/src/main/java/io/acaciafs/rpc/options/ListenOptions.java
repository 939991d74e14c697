package io.acaciafs.rpc.options;

import static io.acaciafs.rpc.options.Ranges.atLeast;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;

/**
 * Where a server listens. Immutable.
 *
 * @param address the first address; port 0 means a free port
 * @param moreAddresses further addresses, which serve the same
 * @param auxiliaryAddresses the same, but calls that come there know how their connection is
 *     protected ({@code RpcCall#auxiliaryPortQop})
 * @param backlog connections that may wait to be accepted
 */
public record ListenOptions(
    InetSocketAddress address,
    List<InetSocketAddress> moreAddresses,
    List<InetSocketAddress> auxiliaryAddresses,
    int backlog) {
  public ListenOptions {
    Objects.requireNonNull(address);
    moreAddresses = List.copyOf(moreAddresses);
    auxiliaryAddresses = List.copyOf(auxiliaryAddresses);
    atLeast(1, backlog, "listenBacklog");
  }
}
