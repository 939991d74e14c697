package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The network between NameNodes of this machine, which a test can cut: each reaches each other one
 * through a {@link Relay} of its own. Members are named by {@link #hostOf}; that name means for
 * each process what its {@link #writeHosts} says: itself, or a relay. While a direction is cut what
 * is sent there waits, and comes late, as TCP sends it again.
 *
 * <p>Needs all addresses of 127.0.0.0/8, as Linux has them. Safe for use by many threads.
 */
final class MemberLinks implements AutoCloseable {
  private final int members;
  private final Gate[][] gates;
  private final List<Relay> relays = new ArrayList<>();

  MemberLinks(int members) {
    this.members = members;
    this.gates = new Gate[members][members];
    for (Gate[] row : gates) {
      for (int to = 0; to < members; to++) {
        row[to] = new Gate();
      }
    }
  }

  /** What holds up all that goes in one direction. */
  static final class Gate {
    private boolean isOpen = true;

    synchronized void set(boolean open) {
      isOpen = open;
      notifyAll();
    }

    /** Returns while it is open; ends with the thread's interruption at the latest. */
    synchronized void pass() throws InterruptedException {
      while (!isOpen) {
        wait();
      }
    }
  }

  /** The host that settings of members name. */
  static String hostOf(int member) {
    return "member" + (member + 1) + ".test";
  }

  /** Where a member reaches another one. */
  private static String addressOf(int from, int to) {
    return from == to ? "127.0.0.1" : "127.0." + (from + 1) + "." + (to + 1);
  }

  /** Has the others reach a member's ports. */
  synchronized void relay(int to, Collection<Integer> ports) throws IOException {
    for (int from = 0; from < members; from++) {
      for (int port : from == to ? List.<Integer>of() : ports) {
        InetAddress here = InetAddress.getByName(addressOf(from, to));
        relays.add(
            new Relay(
                new InetSocketAddress(here, port),
                new InetSocketAddress(InetAddress.getByName(addressOf(to, to)), port),
                gates[from][to],
                gates[to][from]));
      }
    }
  }

  /** The option of the member's JVM that has it find the others. */
  String writeHosts(int member, Path folder) throws IOException {
    Path file = folder.resolve("hosts");
    String names =
        IntStream.range(0, members)
            .mapToObj(other -> addressOf(member, other) + " " + hostOf(other))
            .collect(Collectors.joining("\n"));
    String self = InetAddress.getLocalHost().getHostName();
    Files.writeString(file, names + "\n127.0.0.1 localhost " + self + "\n");
    return "-Djdk.net.hosts.file=" + file;
  }

  /** What one sends to another one waits from now on. */
  void cut(int from, int to) {
    gates[from][to].set(false);
  }

  /** All goes through again, what waits first. */
  void heal() {
    for (Gate[] row : gates) {
      for (Gate gate : row) {
        gate.set(true);
      }
    }
  }

  @Override
  public synchronized void close() {
    relays.forEach(Relay::close);
    relays.clear();
  }
}
