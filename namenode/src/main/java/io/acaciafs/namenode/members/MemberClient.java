package io.acaciafs.namenode.members;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseProto;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Speaks to other NameNodes by Hadoop RPC, as what this process has logged in as. */
public final class MemberClient implements Messenger, AutoCloseable {
  private final Configuration conf;
  private final UnaryOperator<Configuration> believing;
  private final int timeoutMs;
  private final Map<Member, MemberProtocol> proxies = new ConcurrentHashMap<>();

  /**
   * @param believing makes the settings of one connection, which say what server is believed
   * @param timeoutMs of one attempt
   */
  public MemberClient(
      Configuration defaults, UnaryOperator<Configuration> believing, int timeoutMs) {
    this.believing = believing;
    this.timeoutMs = timeoutMs;
    conf = new Configuration(defaults);
    conf.setInt("ipc.client.connect.max.retries", 0);
    conf.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
    conf.setInt("ipc.client.connect.max.retries.on.sasl", 1); // after a pause of up to 5 s
    conf.setInt("ipc.client.connect.timeout", timeoutMs);
    conf.setInt("ipc.client.rpc-timeout.ms", timeoutMs);
    RPC.setProtocolEngine(conf, MemberProtocol.class, ProtobufRpcEngine2.class);
  }

  @Override
  public List<String> send(Member receiver, MemberMessage message) throws IOException {
    MemberProtocol proxy = proxies.get(receiver);
    if (proxy == null) {
      proxy = connect(receiver);
      MemberProtocol other = proxies.putIfAbsent(receiver, proxy);
      if (other != null) {
        RPC.stopProxy(proxy);
        proxy = other;
      }
    }
    try {
      return proxy.refresh(null, message.toProto(receiver)).getResponsesList().stream()
          .map(GenericRefreshResponseProto::getUserMessage)
          .toList();
    } catch (ServiceException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
    }
  }

  private MemberProtocol connect(Member receiver) throws IOException {
    Configuration own = believing.apply(conf);
    return RPC.getProxy(
        MemberProtocol.class,
        MemberProtocol.VERSION,
        new InetSocketAddress(receiver.host(), receiver.port()),
        UserGroupInformation.getLoginUser(),
        own,
        NetUtils.getDefaultSocketFactory(own),
        timeoutMs);
  }

  @Override
  public void retain(Collection<Member> live) {
    for (Member known : proxies.keySet()) {
      MemberProtocol unused = live.contains(known) ? null : proxies.remove(known);
      if (unused != null) {
        RPC.stopProxy(unused);
      }
    }
  }

  @Override
  public void close() {
    retain(List.of());
  }
}
