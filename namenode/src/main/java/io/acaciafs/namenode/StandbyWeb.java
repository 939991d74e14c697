package io.acaciafs.namenode;

import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.namenode.ha.MemberAddresses;
import io.acaciafs.namenode.ha.StandbyServlet;
import io.acaciafs.namenode.monitor.CallMetrics;
import io.acaciafs.namenode.monitor.DiskSpace;
import io.acaciafs.namenode.monitor.ReplicationBeans;
import io.acaciafs.namenode.monitor.ShellPage;
import io.acaciafs.namenode.monitor.StandbyPage;
import io.acaciafs.namenode.monitor.StandbyStart;
import io.acaciafs.namenode.monitor.replication.ReplicationHealth;
import io.acaciafs.namenode.monitor.replication.ReplicationMetrics;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.webhdfs.WebHdfs;
import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.web.Beans;
import io.acaciafs.web.JsonPart;
import io.acaciafs.web.MetricsPart;
import io.acaciafs.web.WebServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;

/** What a NameNode shows by HTTP while another one leads. Safe for use by many threads. */
final class StandbyWeb {
  private final String engine;
  private final StandbyStart start;
  private final Supplier<ReplicaStatus> status;
  private final MemberAddresses addresses;
  private final Lifetime lifetime;
  private final Console.Self self;
  private final DiskSpace disks;
  private boolean isStarted;

  /**
   * @param engine the name of the store's
   * @param self this NameNode among the others
   * @param disks that this NameNode needs
   */
  StandbyWeb(
      String engine,
      StandbyStart start,
      Supplier<ReplicaStatus> status,
      MemberAddresses addresses,
      Lifetime lifetime,
      Console.Self self,
      DiskSpace disks) {
    this.engine = engine;
    this.start = start;
    this.status = status;
    this.addresses = addresses;
    this.lifetime = lifetime;
    this.self = self;
    this.disks = disks;
  }

  /**
   * Serves until the resources close.
   *
   * @param calls where this NameNode takes calls
   * @param counted what it counts of them
   */
  WebServer start(
      Configuration conf, InetSocketAddress calls, RpcMetrics counted, ResourceStack resources)
      throws IOException {
    String hostAndPort = NetUtils.getHostPortString(calls);
    WebServer web = resources.add(isStarted ? WebServer.bindAgain(conf) : WebServer.bind(conf));
    isStarted = true;
    resources.add(Beans.register(ReplicationBeans.standingBy(hostAndPort)));
    Console console =
        resources.add(
            new Console(
                conf,
                lifetime,
                self,
                ConsoleSources.ofStandby(counted::snapshot, status, disks, lifetime.warnings())));
    StandbyPage page = new StandbyPage(engine, hostAndPort, start, status, addresses::page);
    web.start(
        List.of(
            WebParts.active(() -> false),
            WebParts.shell(conf, calls, ShellPage.Role.STANDBY),
            site -> site.servlet(WebHdfs.PATH, new StandbyServlet()),
            new MetricsPart(new CallMetrics(counted::snapshot).and(new ReplicationMetrics(status))),
            console,
            new JsonPart("/health", new ReplicationHealth(status)::ofStandby),
            new JsonPart("/startupProgress", start::read),
            new JsonPart("/api/status", page::read)));
    return web;
  }
}
