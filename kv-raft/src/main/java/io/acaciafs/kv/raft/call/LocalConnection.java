package io.acaciafs.kv.raft.call;

import io.acaciafs.kv.StoreException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** Asks this member itself, without a network in between. */
public final class LocalConnection implements MemberConnection {
  private final BytesService.Answerer answerer;

  public LocalConnection(BytesService.Answerer answerer) {
    this.answerer = answerer;
  }

  @Override
  public CompletableFuture<byte[]> ask(byte[] request, long patienceMs) {
    try {
      return CompletableFuture.completedFuture(answerer.answer(request));
    } catch (IOException | StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public void close() {}
}
