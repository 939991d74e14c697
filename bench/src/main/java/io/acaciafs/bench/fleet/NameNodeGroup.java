package io.acaciafs.bench.fleet;

import io.acaciafs.bench.compare.Contestant;
import io.acaciafs.bench.compare.FirstCall;
import io.acaciafs.bench.compare.JavaProgram;
import io.acaciafs.bench.compare.Server;
import io.acaciafs.bench.compare.Site;
import io.acaciafs.bench.scale.BenchHBase;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.namenode.process.ResourceStack;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The NameNodes that have the DataNodes, each in a process of its own. For one thread. */
final class NameNodeGroup implements AutoCloseable {
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(30);
  private static final int REGION_SERVERS = 2; // one alone would be on local files
  private static final int REGION_SERVER_HEAP_MB = 1024;

  /**
   * A DataNode is dead as soon as Hadoop's is: here all that are measured send heartbeats. Clients
   * that wait for their turn stay connected, though more than 4,000 connections are open.
   */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "dfs.namenode.heartbeat.recheck-interval", "300000",
          "ipc.client.idlethreshold", "1000000");

  private final ResourceStack resources;
  private final List<Site> sites;
  private final List<Long> otherPids;
  private final List<JavaProgram> programs = new ArrayList<>();

  private NameNodeGroup(ResourceStack resources, List<Site> sites, List<Long> otherPids) {
    this.resources = resources;
    this.sites = sites;
    this.otherPids = otherPids;
  }

  /** One on RocksDB, formatted. */
  static NameNodeGroup onRocksDb(Path folder, List<String> jvmOptions) throws IOException {
    Site site = Site.create(Contestant.ACACIA, folder, jvmOptions, SETTINGS);
    Server.format(site);
    return new NameNodeGroup(new ResourceStack(), List.of(site), List.of());
  }

  /** Some on an HBase that is started for them, formatted. */
  static NameNodeGroup onHBase(Path folder, List<String> jvmOptions, int count) throws IOException {
    ResourceStack resources = new ResourceStack();
    try {
      LocalHBase hbase =
          resources.add(
              BenchHBase.start(
                  folder.resolve("hbase"), REGION_SERVERS, REGION_SERVER_HEAP_MB, List.of()));
      Map<String, String> settings = BenchHBase.storeSettings(hbase, "acacia", "classpath");
      settings.putAll(SETTINGS);
      List<Site> sites = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Site site =
            Site.create(Contestant.ACACIA, folder.resolve("namenode-" + i), jvmOptions, settings);
        site.run(
            i == 0 ? Contestant.ACACIA.format() : List.of("bootstrap"), "format", COMMAND_LIMIT);
        sites.add(site);
      }
      return new NameNodeGroup(resources, sites, hbase.serverPids());
    } catch (IOException e) {
      throw resources.closeAfter(e);
    } catch (RuntimeException e) {
      throw resources.closeAfter(e);
    }
  }

  /** Runs a command on the first one's folder, which none serves. */
  void run(List<String> arguments) throws IOException {
    sites.get(0).run(arguments, "command", COMMAND_LIMIT);
  }

  List<InetSocketAddress> addresses() {
    return sites.stream().map(Site::address).toList();
  }

  /** All processes that work for the DataNodes. */
  List<Long> pids() {
    return Stream.concat(programs.stream().map(JavaProgram::pid), otherPids.stream()).toList();
  }

  /**
   * Starts all.
   *
   * @return milliseconds until each had answered a client
   */
  double start() throws IOException {
    long begin = System.nanoTime();
    for (Site site : sites) {
      programs.add(site.start(site.contestant().serve(), "output"));
    }
    for (int i = 0; i < sites.size(); i++) {
      FirstCall.await(sites.get(i), programs.get(i));
    }
    return (System.nanoTime() - begin) / 1e6;
  }

  /** Ends all at once, as a power cut would. */
  void kill() throws IOException {
    for (JavaProgram program : programs) {
      program.kill();
    }
    programs.clear();
  }

  /** Of all NameNodes together. */
  long liveHeapBytes() throws IOException {
    LongStream.Builder all = LongStream.builder();
    for (JavaProgram program : programs) {
      all.add(LiveHeap.bytes(program.pid()));
    }
    return all.build().sum();
  }

  @Override
  public void close() throws IOException {
    for (JavaProgram program : programs) {
      resources.add(program);
    }
    programs.clear();
    resources.close();
  }
}
