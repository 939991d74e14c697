package io.acaciafs.blocks.testkit;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.datanode.NameNodes;
import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.kv.testkit.LateStore;
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

/**
 * Block managers of several NameNodes over one store; a test says who lives and who knows it. One
 * that the others take for dead is fenced off.
 */
public final class Company {
  /** One of them. */
  public final class NameNode implements NameNodes {
    private final long number;
    private SortedSet<Long> seen;
    public final LateStore store;
    public final TransactionRunner runner;
    public final BlockManager manager;
    public boolean leaseHolds = true;

    /** Whether it learns of NameNodes that begin when it looks, and not at once. */
    public boolean learnsLate;

    private NameNode(long number) {
      this.number = number;
      live.add(number);
      this.seen = new TreeSet<>(live);
      this.store = new LateStore(shared);
      this.runner = new TransactionRunner(store, executor, new Random(number));
      this.manager =
          new BlockManager(
              BlockTestBase.IDENTITY,
              new BlockContext(
                  runner,
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
      if (!learnsLate) {
        look();
      }
      SortedSet<Long> all = new TreeSet<>(seen);
      all.add(number);
      return Collections.unmodifiableSortedSet(all);
    }

    @Override
    public void look() {
      seen = new TreeSet<>(live);
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

  private final MemoryStore shared;
  private final Configuration conf;
  private final Clock clock;
  private final ScheduledExecutorService executor;
  private final SortedSet<Long> live = new TreeSet<>();
  private final List<NameNode> running = new ArrayList<>();
  private long lastNumber;

  public Company(
      MemoryStore shared, Configuration conf, Clock clock, ScheduledExecutorService executor) {
    this.shared = shared;
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
    forget(gone);
    gone.leaseHolds = false;
  }

  /** The others take it for dead, and it does not know. */
  public void forget(NameNode still) {
    still.store.fenceOff();
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
