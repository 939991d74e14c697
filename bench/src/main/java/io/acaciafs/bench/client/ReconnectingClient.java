package io.acaciafs.bench.client;

import io.netty.channel.Channel;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Opens a connection, makes one operation on it, closes it, and begins again: latencies are those
 * of all of it up to the last reply. It ends with the first failure. For its network thread, but
 * for {@link #onLoop}.
 */
final class ReconnectingClient implements Client, Outcomes {
  private final Dialer dialer;
  private final Identity identity;
  private final Map<Method, CallTemplate> templates;
  private final int number;
  private final NetworkThread thread;
  private final Runnable onIdle;
  private @Nullable CallSource calls;
  private @Nullable Channel channel;
  private long beganNanos;
  private boolean stopping;

  /**
   * @param number of the client, from 0
   * @param onIdle called when it has ended
   */
  ReconnectingClient(
      Dialer dialer, Identity identity, int number, NetworkThread thread, Runnable onIdle) {
    this.dialer = dialer;
    this.identity = identity;
    this.number = number;
    this.thread = thread;
    this.onIdle = onIdle;
    templates = CallTemplate.all(identity);
  }

  @Override
  public void onLoop(Runnable task) {
    thread.loop().execute(task);
  }

  @Override
  public void start(IntFunction<CallSource> sources) {
    stopping = false;
    calls = sources.apply(number);
    begin();
  }

  @Override
  public void stop() {
    stopping = true;
  }

  private void begin() {
    beganNanos = System.nanoTime();
    Connection connection = new Connection(templates, number, 1, this, this::ended);
    dialer
        .dial(thread.loop(), identity, connection)
        .whenComplete(
            (opened, failure) -> {
              if (failure == null) {
                callOnce(connection, opened);
              } else {
                notOpened(failure);
              }
            });
  }

  private void callOnce(Connection connection, Channel opened) {
    channel = opened;
    CallSource source = Objects.requireNonNull(calls, "it was started");
    connection.start(slot -> source);
    connection.stop();
  }

  private void notOpened(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    failed("NotConnected", String.valueOf(cause.getMessage()));
    onIdle.run();
  }

  @Override
  public void succeeded(long latencyNanos) {
    thread.recorder().succeeded(System.nanoTime() - beganNanos);
  }

  @Override
  public void failed(String kind, String message) {
    thread.recorder().failed(kind, message);
    stopping = true;
  }

  /** The connection has no calls any more. */
  private void ended() {
    Objects.requireNonNull(channel, "it was open").close();
    if (stopping) {
      onIdle.run();
    } else {
      onLoop(this::begin);
    }
  }
}
