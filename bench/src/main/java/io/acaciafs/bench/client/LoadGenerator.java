package io.acaciafs.bench.client;

import io.acaciafs.bench.sasl.Credentials;
import io.acaciafs.rpc.options.Transport;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/**
 * Keeps a fixed number of calls in flight on connections to one server: a reply starts the next
 * call, so the load is what the server can take. Latencies are therefore those of a server under
 * full load.
 *
 * <p>One run at a time; the threads {@code bench-N} make the calls, the caller's waits.
 */
public final class LoadGenerator implements AutoCloseable {
  private static final int CONNECT_LIMIT_SECONDS = 60;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long CLOSE_LIMIT_MS = 5000;

  private final Transport transport = Transport.of(epollIfAny());
  private final List<NetworkThread> threads = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();
  private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final EventLoopGroup network;
  private final Shape shape;
  private volatile CountDownLatch busy = new CountDownLatch(0);

  private LoadGenerator(Shape shape, int threadCount) {
    this.shape = shape;
    network =
        new MultiThreadIoEventLoopGroup(
            threadCount, new DefaultThreadFactory("bench", true), transport.handlers());
    for (int i = 0; i < threadCount; i++) {
      threads.add(new NetworkThread(network.next(), new Recorder()));
    }
  }

  /** What io_uring saves a server it does not save the generator. */
  public static Transport.Kind epollIfAny() {
    return Transport.Kind.EPOLL.isAvailable() ? Transport.Kind.EPOLL : Transport.Kind.AUTO;
  }

  /**
   * Connects clients that just name their user.
   *
   * @param threadCount of the threads that make the calls
   * @param random makes the ids of the clients
   * @throws IOException when there is no server
   */
  public static LoadGenerator connect(
      InetSocketAddress server, Shape shape, int threadCount, String user, RandomGenerator random)
      throws IOException {
    return connect(server, shape, threadCount, Credentials.named(user), 0, random);
  }

  /**
   * Connects.
   *
   * @param threadCount of the threads that make the calls
   * @param seenState what clients tell observers that they have seen; 0: nothing
   * @param random makes the ids of the clients
   * @throws IOException when there is no server, or it refuses the client
   */
  public static LoadGenerator connect(
      InetSocketAddress server,
      Shape shape,
      int threadCount,
      Credentials credentials,
      long seenState,
      RandomGenerator random)
      throws IOException {
    LoadGenerator generator = new LoadGenerator(shape, threadCount);
    Dialer dialer = new Dialer(server, generator.transport, credentials);
    try {
      for (int i = 0; i < shape.connections(); i++) {
        generator.connect(dialer, identity(credentials, i, seenState, random), i);
      }
      return generator;
    } catch (IOException | RuntimeException e) {
      generator.close();
      throw e;
    }
  }

  /**
   * Clients that open a connection for each operation, and close it behind it.
   *
   * @param clientCount how many connections are there at a time
   * @param threadCount of the threads that make the calls
   * @param random makes the ids of the clients
   */
  public static LoadGenerator reconnecting(
      InetSocketAddress server,
      int clientCount,
      int threadCount,
      Credentials credentials,
      RandomGenerator random) {
    LoadGenerator generator = new LoadGenerator(new Shape(clientCount, 1), threadCount);
    Dialer dialer = new Dialer(server, generator.transport, credentials);
    for (int i = 0; i < clientCount; i++) {
      generator.clients.add(
          new ReconnectingClient(
              dialer,
              identity(credentials, i, 0, random),
              i,
              generator.threadOf(i),
              () -> generator.busy.countDown()));
    }
    return generator;
  }

  private static Identity identity(
      Credentials credentials, int number, long seenState, RandomGenerator random) {
    byte[] clientId = new byte[16];
    random.nextBytes(clientId);
    String clientName = "DFSClient_bench_" + Long.toHexString(random.nextLong()) + "_" + number;
    return new Identity(credentials.user(), clientName, clientId, seenState);
  }

  private NetworkThread threadOf(int client) {
    return threads.get(client % threads.size());
  }

  private void connect(Dialer dialer, Identity identity, int number) throws IOException {
    NetworkThread thread = threadOf(number);
    Connection connection =
        new Connection(
            CallTemplate.all(identity),
            number,
            shape.callsInFlight(),
            thread.recorder(),
            () -> busy.countDown());
    try {
      channels.add(
          dialer
              .dial(thread.loop(), identity, connection)
              .get(CONNECT_LIMIT_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException(cause.getMessage(), cause);
    } catch (TimeoutException e) {
      throw new IOException("The server does not say whether it knows the client", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while connections were opened");
    }
    clients.add(connection);
  }

  /** How many calls can be in flight. */
  public Shape shape() {
    return shape;
  }

  /**
   * Runs what the sources say, one for each slot.
   *
   * @param sources by number of the slot, from 0; called by the network threads
   * @return what ended in the measured span, and all failures of the run
   * @throws IOException when nothing moves any more
   */
  public Recording run(IntFunction<CallSource> sources, Span span, Meter meter, Watcher watcher)
      throws IOException {
    Duration limit = span.limit();
    Pace pace = new Pace(watcher, limit == null ? 0 : span.warmUp().plus(limit).toNanos());
    tell(Recorder::reset);
    busy = new CountDownLatch(clients.size());
    if (span.warmUp().isZero()) {
      measure(meter);
    }
    clients.forEach(each -> each.onLoop(() -> each.start(sources)));
    if (!span.warmUp().isZero()) {
      awaitIdle(span.warmUp().toNanos(), pace);
      measure(meter);
    }
    awaitIdle(limit == null ? Long.MAX_VALUE : limit.toNanos(), pace);
    meter.stop();
    tell(recorder -> recorder.measure(false));
    clients.forEach(each -> each.onLoop(each::stop));
    awaitIdle(Long.MAX_VALUE, pace);
    Recording all = threads.get(0).ask(Recorder::recording);
    for (NetworkThread thread : threads.subList(1, threads.size())) {
      all = all.plus(thread.ask(Recorder::recording));
    }
    return all;
  }

  private void measure(Meter meter) throws IOException {
    tell(recorder -> recorder.measure(true));
    meter.start();
  }

  /** Returns when all slots are idle or the time is over. */
  private void awaitIdle(long limitNanos, Pace pace) throws IOException {
    long start = System.nanoTime();
    long restNanos = limitNanos;
    try {
      while (restNanos > 0 && !busy.await(Math.min(restNanos, LOOK_NANOS), TimeUnit.NANOSECONDS)) {
        long answers = 0;
        for (NetworkThread thread : threads) {
          answers += thread.ask(Recorder::answers);
        }
        pace.look(answers);
        restNanos = limitNanos - (System.nanoTime() - start);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the load ran");
    }
  }

  private void tell(Consumer<Recorder> order) throws IOException {
    for (NetworkThread thread : threads) {
      thread.ask(
          recorder -> {
            order.accept(recorder);
            return null;
          });
    }
  }

  /** Closes the connections, which a thread that ends need not do, and ends the threads. */
  @Override
  public void close() {
    channels.close().awaitUninterruptibly(CLOSE_LIMIT_MS);
    network
        .shutdownGracefully(0, CLOSE_LIMIT_MS, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(CLOSE_LIMIT_MS);
  }
}
