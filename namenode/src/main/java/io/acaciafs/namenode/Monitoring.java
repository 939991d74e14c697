package io.acaciafs.namenode;

import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.namenode.monitor.DatanodeFigures;
import io.acaciafs.namenode.monitor.DatanodesPage;
import io.acaciafs.namenode.monitor.EachInterval;
import io.acaciafs.namenode.monitor.Health;
import io.acaciafs.namenode.monitor.NameNodeBeans;
import io.acaciafs.namenode.monitor.NameNodeMetrics;
import io.acaciafs.namenode.monitor.OverviewPage;
import io.acaciafs.namenode.monitor.StartupPage;
import io.acaciafs.namenode.monitor.StatusPage;
import io.acaciafs.namenode.monitor.StoreFigures;
import io.acaciafs.namenode.monitor.StoreHealth;
import io.acaciafs.namenode.monitor.StoreSight;
import io.acaciafs.namenode.monitor.Watched;
import io.acaciafs.namenode.monitor.cluster.ClusterLook;
import io.acaciafs.namenode.monitor.cluster.ClusterPage;
import io.acaciafs.namenode.monitor.replication.ReplicationHealth;
import io.acaciafs.namenode.monitor.replication.ReplicationMetrics;
import io.acaciafs.namenode.process.Threads;
import io.acaciafs.web.Beans;
import io.acaciafs.web.JsonPart;
import io.acaciafs.web.JsonPart.Answer;
import io.acaciafs.web.MetricSource;
import io.acaciafs.web.MetricsPart;
import io.acaciafs.web.WebPart;
import io.acaciafs.web.WebSite;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What tells of this NameNode: beans, metrics, health. Made on the web server's thread, so that the
 * first call waits for nothing of it; close it after the server.
 */
final class Monitoring implements WebPart, AutoCloseable {
  private final Watched watched;
  private final Clock clock;
  private final @Nullable Supplier<ReplicaStatus> replica;
  private final ExecutorService reader = Threads.pool("store-figures", 1, StoreFigures.MOST);
  private final StoreFigures figures;
  private final ExecutorService clusterReader =
      Threads.pool("store-cluster", ClusterLook.READINGS, ClusterLook.READINGS);
  private final @Nullable ClusterLook cluster;
  private final @Nullable ClusterPage clusterPage;
  private final EachInterval<DatanodeFigures> datanodes;
  private final Health health;
  private final StoreSight store;
  private volatile @Nullable Beans beans;

  /**
   * @param replica null where this NameNode is not one of several of which one leads
   */
  Monitoring(Watched watched, Clock clock, @Nullable Supplier<ReplicaStatus> replica) {
    this.watched = watched;
    this.clock = clock;
    this.replica = replica;
    this.figures = new StoreFigures(watched, clock, reader);
    this.cluster =
        watched
            .store()
            .opened()
            .cluster()
            .map(known -> new ClusterLook(known, clusterReader))
            .orElse(null);
    this.clusterPage = cluster == null ? null : new ClusterPage(cluster);
    this.datanodes =
        EachInterval.shared(
            () -> new DatanodeFigures(watched.blocks(), watched.elapsed().millis()));
    this.health = new Health(watched, clock, replicationHealth());
    this.store = new StoreSight(new StoreHealth(watched.store().opened()), reader);
  }

  /** What was read of the store. */
  StoreFigures figures() {
    return figures;
  }

  /** Whether the store reads and writes. */
  StoreSight store() {
    return store;
  }

  /** What was read of the servers that keep the store; null where this process keeps it. */
  @Nullable ClusterLook cluster() {
    return cluster;
  }

  /** DataNodes as they were two seconds ago at most: looked at once for all pages. */
  Supplier<DatanodeFigures> datanodes() {
    return datanodes;
  }

  /**
   * The page that is opened first.
   *
   * @param problems as they were some seconds ago at most
   * @param nameNodes that serve the same store, where there can be several
   * @param lastHour of this NameNode, as its history says it
   */
  WebPart overview(
      Supplier<Answer> problems,
      Supplier<List<Map<String, Object>>> nameNodes,
      Supplier<Map<String, Object>> lastHour) {
    return new JsonPart(
        "/api/overview",
        new OverviewPage(
                watched,
                figures,
                clusterPage,
                datanodes,
                () -> health.known(store),
                problems,
                nameNodes,
                lastHour)
            ::read);
  }

  /** Reads the store, one thing after the other. */
  Executor reader() {
    return reader;
  }

  @Override
  public void addTo(WebSite site) {
    beans = Beans.register(NameNodeBeans.of(watched, figures, clock));
    List<WebPart> parts =
        List.of(
            new MetricsPart(metrics()),
            new JsonPart("/health", health::check),
            new JsonPart("/startupProgress", new StartupPage(watched)::read),
            new JsonPart("/api/status", new StatusPage(watched, figures)::read),
            new JsonPart("/api/datanodes", new DatanodesPage(datanodes, watched.blocks())::read));
    parts.forEach(part -> part.addTo(site));
    if (clusterPage != null) {
      new JsonPart("/api/cluster", clusterPage::read).addTo(site);
    }
  }

  private MetricSource metrics() {
    MetricSource own = new NameNodeMetrics(watched, figures);
    return replica == null ? own : own.and(new ReplicationMetrics(replica));
  }

  private @Nullable ReplicationHealth replicationHealth() {
    return replica == null ? null : new ReplicationHealth(replica);
  }

  @Override
  public void close() {
    Beans shown = beans;
    if (shown != null) {
      shown.close();
    }
    Threads.shutDown(reader);
    Threads.shutDown(clusterReader);
  }
}
