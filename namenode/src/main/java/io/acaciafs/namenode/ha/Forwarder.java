package io.acaciafs.namenode.ha;

import io.acaciafs.rpc.protocol.RpcCall;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import javax.security.sasl.SaslException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.ServiceFailedException;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MsyncRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MsyncResponseProto;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseCollectionProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseProto;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;

/**
 * Hands calls of clients to the NameNode that leads, so that a client that asks this one needs no
 * second attempt. While none leads the call waits, for at most {@link #PATIENCE_MS}; a call that
 * met a leader in its fall is sent to the next one as a repetition, which knows it by its id if it
 * was done. So is one that a leader does not answer, as it stands still or is cut off, once another
 * one leads.
 *
 * <p>A call takes a thread while it is on its way; more than {@link #MOST_CALLS} are refused, and
 * the client asks another NameNode. Safe for use by many threads.
 */
public final class Forwarder implements AutoCloseable {
  static final long PATIENCE_MS = 10_000;
  static final int MOST_CALLS = 1_000;
  private static final int THREADS = 64;
  private static final int CONNECT_TIMEOUT_MS = 2_000;
  private static final int CALL_TIMEOUT_MS = 60_000;
  private static final long PAUSE_MS = 25;

  private static final GenericRefreshRequestProto TELL_STATE =
      GenericRefreshRequestProto.newBuilder().setIdentifier(ForwardProtocol.STATE).build();

  /** Of a call that is run here. */
  private static final long NO_TERM = 0;

  private final Configuration conf;
  private final Leader leader;
  private final UnaryOperator<Configuration> believing;
  private final LongSupplier elapsedMs;
  private final OwnLogin login;
  private final Map<Proxy, ForwardProtocol> proxies = new ConcurrentHashMap<>();
  private final Set<Exchange> underWay = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor threads;
  private final ScheduledThreadPoolExecutor watch;

  /** Connections are apart by the user that makes them. */
  private record Proxy(InetSocketAddress address, UserGroupInformation user) {}

  /** The NameNode that leads, as this one knows it. */
  public interface Leader {
    /** Null where it is not known, or is this one. */
    @Nullable Elsewhere elsewhere();

    /** Whether it is this one. */
    boolean isHere();
  }

  /**
   * Another NameNode leads.
   *
   * @param member its name
   * @param term in which it leads, and may run calls: one that it reads later is refused
   * @param address where it is reached
   */
  public record Elsewhere(String member, long term, InetSocketAddress address) {
    /** Its name may have other addresses from one moment to the next, or none. */
    private boolean isSameLeader(Elsewhere other) {
      return term == other.term && member.equals(other.member);
    }
  }

  /**
   * @param believing makes the settings of one connection, which say what server is believed
   * @param elapsedMs never goes back
   * @throws IOException where this process cannot tell its user
   */
  public Forwarder(
      Configuration site,
      UnaryOperator<Configuration> believing,
      Leader leader,
      LongSupplier elapsedMs)
      throws IOException {
    this.believing = believing;
    login = new OwnLogin(site);
    conf = new Configuration(site);
    // or Hadoop's client would renew the login by which clients authenticate here
    conf.setInt("ipc.client.connect.max.retries.on.sasl", 0);
    conf.setInt("ipc.client.connect.max.retries", 0);
    conf.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
    conf.setInt("ipc.client.connect.timeout", CONNECT_TIMEOUT_MS);
    conf.setInt("ipc.client.rpc-timeout.ms", CALL_TIMEOUT_MS);
    RPC.setProtocolEngine(conf, ForwardProtocol.class, ProtobufRpcEngine2.class);
    this.leader = leader;
    this.elapsedMs = elapsedMs;
    threads =
        new ScheduledThreadPoolExecutor(
            THREADS, task -> daemon(new Thread(task, "standby-forward")));
    threads.setRemoveOnCancelPolicy(true);
    watch =
        new ScheduledThreadPoolExecutor(
            1, task -> daemon(new Thread(task, "standby-forward-watch")));
    watch.scheduleWithFixedDelay(this::endExchanges, PAUSE_MS, PAUSE_MS, TimeUnit.MILLISECONDS);
  }

  /** Whom this NameNode asks others as. */
  public UserGroupInformation user() {
    return login.user();
  }

  /** Those with a NameNode that led: it may never answer. */
  private void endExchanges() {
    if (underWay.isEmpty()) {
      return;
    }
    Elsewhere now = leader.elsewhere();
    boolean isHere = leader.isHere();
    for (Exchange exchange : underWay) {
      if (isHere || now != null && !now.isSameLeader(exchange.with)) {
        exchange.interrupt();
      }
    }
  }

  /** A question to another NameNode that a thread waits with. */
  private static final class Exchange {
    private final Elsewhere with;
    private final Thread thread = Thread.currentThread();
    private boolean isOver;

    Exchange(Elsewhere with) {
      this.with = with;
    }

    /** The thread goes on with InterruptedIOException. */
    synchronized void interrupt() {
      if (!isOver) {
        thread.interrupt();
      }
    }

    /** Of the thread: it is interrupted no more. */
    synchronized void end() {
      isOver = true;
      Thread.interrupted();
    }
  }

  private static Thread daemon(Thread thread) {
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Has the leader run a call.
   *
   * @param replyType of the method
   * @param here runs the call, or its repetition, where this NameNode leads by then; gives null
   *     where it does not
   * @return fails with StandbyException when no NameNode led for too long
   */
  CompletableFuture<Message> forward(
      RpcCall call,
      Message request,
      Message replyType,
      Function<RpcCall, @Nullable CompletableFuture<Message>> here) {
    CompletableFuture<Message> result = new CompletableFuture<>();
    if (threads.getQueue().size() >= MOST_CALLS) {
      result.completeExceptionally(new StandbyException("This NameNode stands by, and is busy"));
      return result;
    }
    long deadlineMs = elapsedMs.getAsLong() + PATIENCE_MS;
    schedule(new Forwarding(call, request, replyType, here, deadlineMs, result), 0);
    return result;
  }

  /**
   * Asks how far the leader is, as HDFS's {@code msync} does: it shows that it still leads before
   * it answers.
   *
   * @param call on whose behalf
   * @param here as of {@link #forward}
   * @param own how far this NameNode is
   * @return a position at or behind that of all that was acknowledged before this call; fails with
   *     StandbyException when no NameNode led for too long
   */
  public CompletableFuture<Long> leaderPosition(
      RpcCall call, Function<RpcCall, @Nullable CompletableFuture<Message>> here, LongSupplier own)
      throws IOException {
    MsyncRequestProto request = MsyncRequestProto.getDefaultInstance();
    ForwardedCall msync = ForwardedCall.onBehalf(call, "msync", request);
    return forward(
            msync,
            request,
            MsyncResponseProto.getDefaultInstance(),
            attempt -> {
              CompletableFuture<Message> ran = here.apply(attempt);
              return ran == null
                  ? null
                  : ran.whenComplete((reply, failure) -> msync.restsOn(own.getAsLong()));
            })
        .thenApply(reply -> requireState(msync));
  }

  private static long requireState(ForwardedCall call) {
    if (call.restsOn() == RpcCall.NO_STATE) {
      throw new CompletionException(
          new StandbyException("The NameNode that leads does not tell how far it is"));
    }
    return call.restsOn();
  }

  /**
   * Asks the NameNode that leads to have another one lead.
   *
   * @throws IOException with a sentence for people, when none leads, or it does not
   */
  public void askToHandOver(String member) throws IOException {
    Elsewhere to = leader.elsewhere();
    if (to == null) {
      throw new ServiceFailedException("No NameNode leads at the moment that could hand over");
    }
    GenericRefreshResponseProto answer =
        ask(
                to.address(),
                GenericRefreshRequestProto.newBuilder()
                    .setIdentifier(ForwardProtocol.HAND_OVER)
                    .addArgs(member)
                    .build())
            .getResponses(0);
    if (answer.getExitStatus() != 0) {
      throw new ServiceFailedException(answer.getUserMessage());
    }
  }

  /**
   * The state of the NameNode that leads, at a moment after this call: all that any NameNode has
   * acknowledged before is part of it.
   *
   * @return fails with an IOException where no other NameNode leads, or it does not answer
   */
  public CompletableFuture<Long> leaderState() {
    CompletableFuture<Long> result = new CompletableFuture<>();
    Elsewhere to = leader.elsewhere();
    if (to == null || threads.getQueue().size() >= MOST_CALLS) {
      result.completeExceptionally(new StandbyException("No NameNode tells its state"));
      return result;
    }
    try {
      threads.execute(() -> askState(to, result));
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(new StandbyException("This NameNode stops"));
    }
    return result;
  }

  private void askState(Elsewhere to, CompletableFuture<Long> result) {
    try {
      GenericRefreshResponseCollectionProto answers = askWhileItLeads(to, TELL_STATE);
      GenericRefreshResponseProto answer = answers.getResponses(0);
      if (answer.getExitStatus() != 0) {
        throw new StandbyException(answer.getUserMessage());
      }
      result.complete(Long.parseLong(answers.getResponses(1).getUserMessage()));
    } catch (IOException | RuntimeException e) {
      result.completeExceptionally(e);
    }
  }

  private void schedule(Forwarding forwarding, long delayMs) {
    try {
      threads.schedule(forwarding, delayMs, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      forwarding.result.completeExceptionally(new StandbyException("This NameNode stops"));
    }
  }

  /** A call on its way. Used by one thread at a time. */
  private final class Forwarding implements Runnable {
    private final RpcCall call;
    private final Message request;
    private final Message replyType;
    private final Function<RpcCall, @Nullable CompletableFuture<Message>> here;
    private final long deadlineMs;
    private final CompletableFuture<Message> result;

    /** How often it was sent; each time it may have been done. */
    private int attempts;

    Forwarding(
        RpcCall call,
        Message request,
        Message replyType,
        Function<RpcCall, @Nullable CompletableFuture<Message>> here,
        long deadlineMs,
        CompletableFuture<Message> result) {
      this.call = call;
      this.request = request;
      this.replyType = replyType;
      this.here = here;
      this.deadlineMs = deadlineMs;
      this.result = result;
    }

    @Override
    public void run() {
      try {
        CompletableFuture<Message> own = here.apply(next());
        Elsewhere to = own == null ? leader.elsewhere() : null;
        if (own != null) {
          own.whenComplete(this::end);
        } else if (to == null) {
          again("No NameNode leads");
        } else {
          send(to);
        }
      } catch (IOException | RuntimeException e) {
        result.completeExceptionally(e);
      }
    }

    /** As it is to be run now. */
    private RpcCall next() throws IOException {
      return attempts == 0 ? call : ForwardedCall.decode(message(NO_TERM), request);
    }

    private GenericRefreshRequestProto message(long term) {
      return ForwardedCall.encode(call, request, attempts, term);
    }

    private void end(@Nullable Message reply, @Nullable Throwable failure) {
      if (failure != null) {
        result.completeExceptionally(failure);
      } else {
        result.complete(reply);
      }
    }

    private void send(Elsewhere to) {
      try {
        GenericRefreshRequestProto message = message(to.term());
        attempts++;
        GenericRefreshResponseCollectionProto answers = askWhileItLeads(to, message);
        GenericRefreshResponseProto answer = answers.getResponses(0);
        if (answer.getSenderName().equals(StandbyException.class.getName())) {
          again(answer.getUserMessage());
        } else {
          if (answers.getResponsesCount() > 1) { // an earlier version tells no state
            call.restsOn(Long.parseLong(answers.getResponses(1).getUserMessage()));
          }
          end(answer);
        }
      } catch (IOException e) {
        again(e.toString());
      }
    }

    private void end(GenericRefreshResponseProto answer) {
      if (answer.getExitStatus() != 0) {
        result.completeExceptionally(
            new RemoteException(answer.getSenderName(), answer.getUserMessage())
                .unwrapRemoteException());
        return;
      }
      try {
        result.complete(
            replyType.getParserForType().parseFrom(ForwardedCall.decode(answer.getUserMessage())));
      } catch (IOException e) {
        result.completeExceptionally(e);
      }
    }

    private void again(String reason) {
      if (elapsedMs.getAsLong() >= deadlineMs) {
        result.completeExceptionally(
            new StandbyException("No NameNode leads at the moment: " + reason));
      } else {
        schedule(this, PAUSE_MS);
      }
    }
  }

  private GenericRefreshResponseCollectionProto askWhileItLeads(
      Elsewhere to, GenericRefreshRequestProto message) throws IOException {
    Exchange exchange = new Exchange(to);
    underWay.add(exchange);
    try {
      return ask(to.address(), message);
    } finally {
      underWay.remove(exchange);
      exchange.end();
    }
  }

  private GenericRefreshResponseCollectionProto ask(
      InetSocketAddress to, GenericRefreshRequestProto message) throws IOException {
    Proxy key = new Proxy(to, login.user());
    try {
      return proxy(key).refresh(null, message);
    } catch (ServiceException e) {
      proxies.remove(key);
      IOException cause = e.getCause() instanceof IOException io ? io : new IOException(e);
      if (isRefusal(cause)) {
        login.refused(key.user());
      }
      throw cause;
    }
  }

  private ForwardProtocol proxy(Proxy key) throws IOException {
    ForwardProtocol proxy = proxies.get(key);
    if (proxy == null) {
      proxies.keySet().removeIf(other -> !other.user().equals(key.user()));
      Configuration own = believing.apply(conf);
      proxy =
          RPC.getProxy(
              ForwardProtocol.class,
              ForwardProtocol.VERSION,
              key.address(),
              key.user(),
              own,
              NetUtils.getDefaultSocketFactory(own),
              CALL_TIMEOUT_MS);
      proxies.put(key, proxy);
    }
    return proxy;
  }

  /** Whether the other side, or this one's ticket, let no connection come about. */
  private static boolean isRefusal(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SaslException
          || each instanceof RemoteException remote
              && remote.getClassName().equals(SaslException.class.getName())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    watch.shutdownNow();
    threads.shutdownNow();
    login.close();
    proxies.values().forEach(RPC::stopProxy);
    proxies.clear();
  }
}
