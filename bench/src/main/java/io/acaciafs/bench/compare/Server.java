package io.acaciafs.bench.compare;

import io.acaciafs.bench.datanode.PretendedDatanodes;
import io.acaciafs.bench.workload.Replicas;
import io.acaciafs.namenode.process.ResourceStack;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** One NameNode in a process of its own, on a fresh folder; its DataNodes are pretended. */
public final class Server implements Contender {
  private static final Duration FORMAT_LIMIT = Duration.ofMinutes(2);
  private static final int DATANODES = 3;

  private final ResourceStack resources = new ResourceStack();
  private final InetSocketAddress address;
  private final JavaProgram program;
  private final PretendedDatanodes datanodes;

  private Server(Site site, int datanodeCount) throws IOException {
    address = site.address();
    try {
      program = resources.add(site.start(site.contestant().serve(), "output"));
      Listening.await(address, program);
      datanodes = resources.add(PretendedDatanodes.start(address, datanodeCount));
    } catch (IOException e) {
      throw resources.closeAfter(e);
    } catch (RuntimeException e) {
      throw resources.closeAfter(e);
    }
  }

  /** Formats. */
  public static void format(Site site) throws IOException {
    site.run(site.contestant().format(), "format", FORMAT_LIMIT);
  }

  /** Starts on a formatted site; serves when this returns. */
  public static Server start(Site site) throws IOException {
    return new Server(site, DATANODES);
  }

  /** The same where all files are empty; DataNodes that have no tickets could not register. */
  public static Server startWithoutDatanodes(Site site) throws IOException {
    return new Server(site, 0);
  }

  @Override
  public InetSocketAddress address() {
    return address;
  }

  long pid() {
    return program.pid();
  }

  @Override
  public List<Long> pids() {
    return List.of(pid());
  }

  @Override
  public Replicas replicas() {
    return datanodes;
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
