package io.acaciafs.bench.ha;

import io.acaciafs.bench.compare.Contender;
import io.acaciafs.bench.compare.JavaProgram;
import io.acaciafs.bench.compare.Listening;
import io.acaciafs.bench.compare.Site;
import io.acaciafs.bench.workload.Replicas;
import io.acaciafs.namenode.process.ResourceStack;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** NameNodes of which one serves, each a process of its own, and what they need. For one thread. */
abstract class HaGroup implements Contender {
  static final Duration COMMAND_LIMIT = Duration.ofMinutes(2);

  final Nameservice nameservice;

  /** What closes with the group. */
  final ResourceStack resources = new ResourceStack();

  private final Map<String, Site> sites = new TreeMap<>();
  private final Map<String, JavaProgram> nameNodes = new TreeMap<>();

  HaGroup(Nameservice nameservice) {
    this.nameservice = nameservice;
    resources.add(this::closeNameNodes);
  }

  private void closeNameNodes() throws IOException {
    try (ResourceStack all = new ResourceStack()) {
      nameNodes.values().forEach(all::add);
    }
  }

  /** The folder of a NameNode; the same each time. */
  final Site site(String id) throws IOException {
    Site site = sites.get(id);
    if (site == null) {
      site = nameservice.site(id, id);
      sites.put(id, site);
    }
    return site;
  }

  /** Starts a NameNode that was formatted; it listens when this returns. */
  final void startNameNode(String id) throws IOException {
    Listening.await(site(id).address(), beginNameNode(id));
  }

  /** Starts the process of one, and waits for nothing. */
  final JavaProgram beginNameNode(String id) throws IOException {
    Site site = site(id);
    JavaProgram program = site.start(site.contestant().serve(), "output");
    nameNodes.put(id, program);
    return program;
  }

  /** The process of a NameNode that was started here. */
  final long pid(String id) {
    return program(id).pid();
  }

  /** Kills the NameNode that serves, and nothing else. */
  final String killActive() throws IOException {
    String active = nameservice.awaitActive();
    kill(active);
    return active;
  }

  /** Kills a NameNode that was started here. */
  final void kill(String id) throws IOException {
    program(id).kill();
  }

  /** Ends a NameNode that was started here, in order. */
  final void stop(String id) throws IOException {
    program(id).close();
  }

  private JavaProgram program(String id) {
    return Objects.requireNonNull(nameNodes.get(id), id);
  }

  /** Starts it again, and waits until it could take over. */
  final void restart(String id) throws IOException {
    startNameNode(id);
    nameservice.awaitStandby(id);
  }

  /** Has another NameNode serve, as an administrator does. */
  final void handOver() throws Exception {
    String active = nameservice.awaitActive();
    handOver(active, nameservice.other(active));
  }

  /**
   * @param active serves
   * @param next is to serve
   */
  abstract void handOver(String active, String next) throws Exception;

  final Configuration client() {
    return nameservice.client();
  }

  @Override
  public final InetSocketAddress address() throws IOException {
    return nameservice.address(nameservice.awaitActive());
  }

  @Override
  public List<Long> pids() {
    return nameNodes.values().stream().map(JavaProgram::pid).toList();
  }

  @Override
  public final @Nullable Replicas replicas() {
    return null;
  }

  @Override
  public final void close() throws IOException {
    resources.close();
  }
}
