package io.acaciafs.namenode.monitor.console;

import io.acaciafs.web.JsonPart.Answer;
import io.acaciafs.web.WebQuery;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Of which file a block is. Safe for use by many threads. */
public final class BlockPage {
  private static final int NOT_FOUND = 404;
  private static final long PATIENCE_S = 2;

  private final LongFunction<@Nullable Long> fileOfBlock;
  private final LongFunction<@Nullable String> pathOfFile;
  private final LongPredicate isOpen;
  private final Executor reader;

  /**
   * @param fileOfBlock the inode id of a block's file; null where there is no such block
   * @param pathOfFile of an inode id; null where the file is deleted
   * @param isOpen whether the file of an inode id is being written
   * @param reader where the store is read; may refuse
   */
  public BlockPage(
      LongFunction<@Nullable Long> fileOfBlock,
      LongFunction<@Nullable String> pathOfFile,
      LongPredicate isOpen,
      Executor reader) {
    this.fileOfBlock = fileOfBlock;
    this.pathOfFile = pathOfFile;
    this.isOpen = isOpen;
    this.reader = reader;
  }

  /**
   * Waits for two seconds at most.
   *
   * @param query "id" is the block's, without {@code blk_}
   */
  public Answer read(WebQuery query) {
    long blockId = query.number("id", 0);
    try {
      return CompletableFuture.supplyAsync(() -> look(blockId), reader)
          .get(PATIENCE_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return PageFailure.of(e);
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      return PageFailure.of(e);
    }
  }

  private Answer look(long blockId) {
    Long fileId = fileOfBlock.apply(blockId);
    String path = fileId == null ? null : pathOfFile.apply(fileId);
    if (fileId == null || path == null) {
      return new Answer(NOT_FOUND, Map.of("problem", "No file has a block blk_" + blockId));
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("path", path);
    body.put("open", isOpen.test(fileId));
    return Answer.ok(body);
  }
}
