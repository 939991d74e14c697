package io.acaciafs.blocks.testkit;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.datanode.NameNodes;
import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.TransactionRunner;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.hadoop.conf.Configuration;

/** Block managers of several NameNodes over one store; a test says who lives and who knows it. */
public final class Company {
  /** One of them. */
  public final class NameNode implements NameNodes {
    private final long number;
    public final BlockManager manager;
    public boolean leaseHolds = true;

    private NameNode(long number) {
      this.number = number;
      live.add(number);
      this.manager =
          new BlockManager(
              BlockTestBase.IDENTITY,
              new BlockContext(
                  new TransactionRunner(store, executor, new Random(number)),
                  BlockTestBase.IDENTITY.blockPoolId(),
                  conf,
                  clock,
                  new Random(number + 1000),
                  executor),
              (reader, fileId) -> (byte) 0,
              this);
    }

    @Override
    public long self() {
      return number;
    }

    @Override
    public SortedSet<Long> live() {
      SortedSet<Long> all = new TreeSet<>(live);
      all.add(number);
      return Collections.unmodifiableSortedSet(all);
    }

    @Override
    public boolean leaseHolds() {
      return leaseHolds;
    }

    @Override
    public boolean isAlone() {
      return false;
    }

    @Override
    public void onChange(Runnable listener) {
      // rounds are run by hand
    }
  }

  private final MemoryStore store;
  private final Configuration conf;
  private final Clock clock;
  private final ScheduledExecutorService executor;
  private final SortedSet<Long> live = new TreeSet<>();
  private final List<NameNode> running = new ArrayList<>();
  private long lastNumber;

  public Company(
      MemoryStore store, Configuration conf, Clock clock, ScheduledExecutorService executor) {
    this.store = store;
    this.conf = conf;
    this.clock = clock;
    this.executor = executor;
  }

  public NameNode start() {
    NameNode started = new NameNode(++lastNumber);
    running.add(started);
    return started;
  }

  public List<NameNode> running() {
    return List.copyOf(running);
  }

  /** Its process ends; the others take it for alive until {@link #expire}. */
  public void kill(NameNode killed) {
    running.remove(killed);
    killed.manager.close();
  }

  /** Its lease has run out. */
  public void expire(NameNode gone) {
    live.remove(gone.self());
    gone.leaseHolds = false;
  }

  /** The others take it for dead, and it does not know. */
  public void forget(NameNode still) {
    live.remove(still.self());
  }

  public boolean lives(NameNode nameNode) {
    return live.contains(nameNode.self());
  }

  /** Each NameNode once. */
  public void exchange() throws IOException {
    for (NameNode nameNode : running) {
      nameNode.manager.exchangeNow();
    }
  }

  public void close() {
    running().forEach(this::kill);
  }
}
