package io.acaciafs.namenode;

import io.acaciafs.kv.engine.Replica;
import io.acaciafs.kv.run.FailureText;
import io.acaciafs.namenode.backup.BackupMaker;
import io.acaciafs.namenode.ha.Forwarder;
import io.acaciafs.rpc.protocol.RpcCall;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * Backups that a NameNode makes while another one leads. They hold all that was acknowledged before
 * they were asked for: the leader says how far it is, and this NameNode copies its store when it
 * has come as far. Safe for use by many threads.
 */
final class StandbyBackup {
  /** A batch takes some milliseconds from the leader to here. */
  private static final long PATIENCE_MS = 10_000;

  private final Forwarder forwarder;
  private final Replica replica;
  private final Function<RpcCall, @Nullable CompletableFuture<Message>> here;
  private final BackupMaker maker;

  /**
   * @param here runs a call where this NameNode leads by then; gives null where it does not
   */
  StandbyBackup(
      Forwarder forwarder,
      Replica replica,
      Function<RpcCall, @Nullable CompletableFuture<Message>> here,
      BackupMaker maker) {
    this.forwarder = forwarder;
    this.replica = replica;
    this.here = here;
    this.maker = maker;
  }

  /**
   * Makes one.
   *
   * @param folder is made
   * @return a sentence for people
   * @throws StandbyException when no NameNode leads, or this one lags behind the one that does;
   *     another one may make it
   * @throws IOException with a sentence when it cannot be made
   */
  String make(RpcCall call, Path folder) throws IOException {
    maker.check(folder); // at once, whether another NameNode leads or not
    try {
      forwarder
          .leaderPosition(call, here, replica::position)
          .thenCompose(this::applied)
          .get(2 * PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof TimeoutException ? late(e) : refusal(FailureText.of(e), e);
    } catch (TimeoutException e) {
      throw late(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted before the backup was made");
    }
    return maker.make(folder);
  }

  private CompletableFuture<Void> applied(long position) {
    return replica.await(position).orTimeout(PATIENCE_MS, TimeUnit.MILLISECONDS);
  }

  private static StandbyException late(Exception cause) {
    return refusal("what was acknowledged last is not here yet", cause);
  }

  private static StandbyException refusal(String why, Exception cause) {
    StandbyException refusal =
        new StandbyException("This NameNode stands by, and cannot make the backup now: " + why);
    refusal.initCause(cause);
    return refusal;
  }
}
