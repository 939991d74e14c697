package io.acaciafs.kv.raft.compare;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.raft.call.MemberConnection;
import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A member as the leader that compares sees it. Used by one thread. */
final class ComparedMember implements AutoCloseable {
  /** Less than {@link MemberViews#KEPT_NS}, as the views of the others are kept meanwhile. */
  static final long PATIENCE_MS = 30_000;

  /** For what is answered without a look at the store. */
  static final long SHORT_PATIENCE_MS = 5_000;

  private final String name;
  private final MemberConnection connection;
  private final long id;

  /**
   * @param id of the comparison
   */
  ComparedMember(String name, MemberConnection connection, long id) {
    this.name = name;
    this.connection = connection;
    this.id = id;
  }

  /** A member does not answer, or not as it should. */
  static final class UnansweredException extends Exception {
    private static final long serialVersionUID = 1;
    private final transient ComparedMember member;

    private UnansweredException(ComparedMember member, String why, @Nullable Throwable cause) {
      super(why, cause);
      this.member = member;
    }

    ComparedMember member() {
      return member;
    }
  }

  String name() {
    return name;
  }

  /** What it has is not enough. */
  UnansweredException failure(String why) {
    return new UnansweredException(this, why, null);
  }

  CompletableFuture<byte[]> beginExpect() {
    return connection.ask(Request.of(Request.Kind.EXPECT, id).encode(), SHORT_PATIENCE_MS);
  }

  boolean isTaken() throws UnansweredException, InterruptedException {
    byte[] request = Request.of(Request.Kind.IS_TAKEN, id).encode();
    byte[] answer = await(connection.ask(request, SHORT_PATIENCE_MS));
    return answer.length == 1 && answer[0] == 1;
  }

  /** The next range of a table; of the member that says what the ranges are. */
  ComparedView.Slice next(Table table, byte[] from, int mostRows)
      throws UnansweredException, InterruptedException {
    KeyRange open = new KeyRange(table, from, null);
    return decode(
        await(ask(Request.Kind.NEXT, open, mostRows)),
        in ->
            new ComparedView.Slice(
                new KeyRange(table, from, Request.readKey(in)), RangeDigest.read(in)));
  }

  CompletableFuture<byte[]> beginDigest(KeyRange range) {
    return ask(Request.Kind.DIGEST, range, 0);
  }

  RangeDigest digest(CompletableFuture<byte[]> begun)
      throws UnansweredException, InterruptedException {
    return decode(await(begun), RangeDigest::read);
  }

  /** The first rows of a range. */
  List<RowHash> list(KeyRange range, int atMost) throws UnansweredException, InterruptedException {
    return decode(await(ask(Request.Kind.LIST, range, atMost)), Request::decodeRows);
  }

  private CompletableFuture<byte[]> ask(Request.Kind kind, KeyRange range, int atMost) {
    return connection.ask(Request.of(kind, id, range, atMost).encode(), PATIENCE_MS);
  }

  byte[] await(CompletableFuture<byte[]> answer) throws UnansweredException, InterruptedException {
    try {
      return answer.get(2 * PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new UnansweredException(this, String.valueOf(cause.getMessage()), e);
    } catch (TimeoutException e) {
      throw new UnansweredException(this, "it did not answer", e);
    }
  }

  /** Makes something of an answer. */
  @FunctionalInterface
  private interface Decoder<T> {
    T decode(DataInput in) throws IOException;
  }

  private <T> T decode(byte[] answer, Decoder<T> decoder) throws UnansweredException {
    try {
      return decoder.decode(new DataInputStream(new ByteArrayInputStream(answer)));
    } catch (IOException e) {
      throw new UnansweredException(this, "its answer is not understood", e);
    }
  }

  /** Has it give up its view. */
  CompletableFuture<byte[]> release() {
    return connection.ask(Request.of(Request.Kind.RELEASE, id).encode(), SHORT_PATIENCE_MS);
  }

  @Override
  public void close() {
    connection.close();
  }
}
