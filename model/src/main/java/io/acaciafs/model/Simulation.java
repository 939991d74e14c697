package io.acaciafs.model;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Plays a {@link QueueNetwork} event by event: tasks arrive at random times, each goes to a random
 * server, waits in its queue for a processor and is served for an exponential time. The first fifth
 * of the tasks fills the servers and does not count. For one thread.
 */
public final class Simulation {
  private static final double P99 = 0.99;
  private static final int WARM_UP = 5;
  private static final int NONE = -1;

  /** What ends next for a task. */
  private static final int AT_NAMENODE = 0;

  private static final int AT_REGION_SERVER = 1;

  /** Servers of one kind, with their queues: lists of tasks, linked by {@link #next}. */
  private static final class Servers {
    private final int cores;
    private final int[] busy;
    private final int[] first;
    private final int[] last;
    private long allBusy;
    private double since;
    private double area;

    Servers(int count, int cores) {
      this.cores = cores;
      busy = new int[count];
      first = new int[count];
      last = new int[count];
      Arrays.fill(first, NONE);
    }

    void count(double now, int change) {
      area += allBusy * (now - since);
      since = now;
      allBusy += change;
    }

    void restart(double now) {
      count(now, 0);
      area = 0;
    }

    double utilisation(double now, double duration) {
      count(now, 0);
      return area / (duration * cores * busy.length);
    }
  }

  private final QueueNetwork network;
  private final RandomGenerator random;
  private final EventQueue events = new EventQueue();
  private final Servers nameNodes;
  private final Servers regionServers;
  private final double[] cumulated;
  private final LatencyHistogram[] latencies;
  private double startOfCount = Double.POSITIVE_INFINITY;
  private int[] kinds = new int[1024];
  private int[] stages = new int[1024];
  private int[] places = new int[1024];
  private int[] next = new int[1024];
  private double[] began = new double[1024];
  private int free = NONE;
  private int used;

  private Simulation(QueueNetwork network, RandomGenerator random) {
    this.network = network;
    this.random = random;
    this.nameNodes = new Servers(network.nameNodes(), network.cores());
    this.regionServers = new Servers(Math.max(1, network.regionServers()), network.cores());
    this.cumulated = new double[network.tasks().size()];
    this.latencies = new LatencyHistogram[cumulated.length];
    double sum = 0;
    for (int i = 0; i < cumulated.length; i++) {
      sum += network.tasks().get(i).perSecond();
      cumulated[i] = sum;
      latencies[i] = new LatencyHistogram();
    }
  }

  /**
   * @param tasks how many, of all kinds
   * @return also of tasks that are so rare that none was met: their latency is 0
   */
  public static QueueNetwork.Outcome run(QueueNetwork network, long tasks, RandomGenerator random) {
    return new Simulation(network, random).run(tasks);
  }

  private QueueNetwork.Outcome run(long tasks) {
    double perSecond = cumulated[cumulated.length - 1];
    double arrival = exponential(1 / perSecond);
    double now = 0;
    for (long arrived = 0; arrived < tasks; ) {
      if (!events.isEmpty() && events.time() <= arrival) {
        now = events.time();
        happen(now, events.remove());
        continue;
      }
      now = arrival;
      if (arrived++ == tasks / WARM_UP) {
        startOfCount = now;
        nameNodes.restart(now);
        regionServers.restart(now);
      }
      arrive(now);
      arrival = now + exponential(1 / perSecond);
    }
    double end = now;
    double duration = end - startOfCount;
    double nameNodeUtilisation = nameNodes.utilisation(end, duration);
    double regionServerUtilisation = regionServers.utilisation(end, duration);
    while (!events.isEmpty()) { // or the tasks that take long would be missing
      double time = events.time();
      happen(time, events.remove());
    }
    Map<String, QueueNetwork.Latency> found = new TreeMap<>();
    for (int kind = 0; kind < latencies.length; kind++) {
      QueueNetwork.Task task = network.tasks().get(kind);
      if (task.isCall()) {
        LatencyHistogram times = latencies[kind];
        found.put(
            task.name(),
            times.count() == 0
                ? new QueueNetwork.Latency(0, 0)
                : new QueueNetwork.Latency(times.mean(), times.quantile(P99)));
      }
    }
    return new QueueNetwork.Outcome(nameNodeUtilisation, regionServerUtilisation, found);
  }

  private void arrive(double now) {
    int task = newTask();
    double draw = random.nextDouble() * cumulated[cumulated.length - 1];
    int kind = 0;
    while (kind < cumulated.length - 1 && cumulated[kind] <= draw) {
      kind++;
    }
    kinds[task] = kind;
    began[task] = now;
    if (network.tasks().get(kind).nameNodeSeconds() > 0) {
      enter(now, task, nameNodes, AT_NAMENODE);
    } else {
      goOn(now, task);
    }
  }

  private void happen(double now, int task) {
    boolean isNameNode = stages[task] == AT_NAMENODE;
    leave(now, task, isNameNode ? nameNodes : regionServers);
    if (isNameNode) {
      goOn(now, task);
    } else {
      end(now, task);
    }
  }

  /** Behind the NameNode. */
  private void goOn(double now, int task) {
    if (network.tasks().get(kinds[task]).regionServerSeconds() > 0) {
      enter(now, task, regionServers, AT_REGION_SERVER);
    } else {
      end(now, task);
    }
  }

  private void enter(double now, int task, Servers servers, int stage) {
    int server = random.nextInt(servers.busy.length);
    stages[task] = stage;
    places[task] = server;
    if (servers.busy[server] < servers.cores) {
      servers.busy[server]++;
      servers.count(now, 1);
      serve(now, task);
    } else {
      next[task] = NONE;
      if (servers.first[server] == NONE) {
        servers.first[server] = task;
      } else {
        next[servers.last[server]] = task;
      }
      servers.last[server] = task;
    }
  }

  private void serve(double now, int task) {
    QueueNetwork.Task kind = network.tasks().get(kinds[task]);
    double mean = stages[task] == AT_NAMENODE ? kind.nameNodeSeconds() : kind.regionServerSeconds();
    events.add(now + exponential(mean), task);
  }

  private void leave(double now, int task, Servers servers) {
    int server = places[task];
    int waiting = servers.first[server];
    if (waiting == NONE) {
      servers.busy[server]--;
      servers.count(now, -1);
    } else {
      servers.first[server] = next[waiting];
      serve(now, waiting);
    }
  }

  private void end(double now, int task) {
    int kind = kinds[task];
    if (began[task] >= startOfCount) {
      latencies[kind].add(now - began[task] + network.tasks().get(kind).constantSeconds());
    }
    next[task] = free;
    free = task;
  }

  private int newTask() {
    if (free != NONE) {
      int task = free;
      free = next[task];
      return task;
    }
    if (used == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * used);
      stages = Arrays.copyOf(stages, 2 * used);
      places = Arrays.copyOf(places, 2 * used);
      next = Arrays.copyOf(next, 2 * used);
      began = Arrays.copyOf(began, 2 * used);
    }
    return used++;
  }

  private double exponential(double mean) {
    return -mean * Math.log(1 - random.nextDouble());
  }
}
