package io.acaciafs.fsimage.survey;

import io.acaciafs.fsimage.format.ImageFile;
import io.acaciafs.fsimage.format.ImageProgress;
import io.acaciafs.fsimage.format.SectionReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hdfs.server.namenode.FSImageFormatProtobuf.SectionName;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection;
import org.jspecify.annotations.Nullable;

/**
 * One reading of the inodes of an image: the caller's thread reads and cuts, threads {@code
 * fsimage-N} work on the pieces, in no order. So neither needs the image to have parts. The number
 * of pieces under way is limited.
 */
public final class InodeSectionPass {
  private static final int BATCH_BYTES = 256 << 10;
  private static final int MOST_IN_BATCH = 4096;
  private static final int BATCHES_A_THREAD = 3;

  /** What is to be done with inodes; called by many threads. */
  public interface Work {
    void process(InodeBatch batch) throws IOException;
  }

  private final ImageFile image;
  private final int threads;
  private final AtomicInteger started = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  public InodeSectionPass(ImageFile image, int threads) {
    this.image = image;
    this.threads = threads;
  }

  /** The message before the inodes. */
  public static INodeSection header(ImageFile image) throws IOException {
    try (SectionReader reader = new SectionReader(image, SectionName.INODE)) {
      return reader.header(INodeSection.parser());
    }
  }

  /**
   * Returns when all inodes are worked on.
   *
   * @throws IOException the first failure of reading or of working
   */
  public void run(String step, ImageProgress progress, Work work) throws IOException {
    progress.begin(step);
    ExecutorService pool = Executors.newFixedThreadPool(threads, this::newThread);
    Semaphore room = new Semaphore(threads * BATCHES_A_THREAD);
    try (SectionReader reader = new SectionReader(image, SectionName.INODE)) {
      long expected = reader.header(INodeSection.parser()).getNumInodes();
      long read = 0;
      InodeBatch batch;
      while (failure.get() == null && (batch = readBatch(reader)) != null) {
        submit(pool, room, work, batch);
        read += batch.count();
        progress.advance(read, expected <= 0 ? 0 : (double) read / expected);
      }
      room.acquire(threads * BATCHES_A_THREAD);
      rethrow();
      if (read != expected) {
        throw image.damaged("it says that there are " + expected + " inodes, but has " + read);
      }
      progress.advance(read, 1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      end(pool);
    }
  }

  private Thread newThread(Runnable task) {
    return new Thread(task, "fsimage-" + started.incrementAndGet());
  }

  private void submit(ExecutorService pool, Semaphore room, Work work, InodeBatch batch)
      throws InterruptedException {
    room.acquire();
    pool.execute(
        () -> {
          try {
            if (failure.get() == null) {
              work.process(batch);
            }
          } catch (Throwable e) { // an inode that is lost silently would be lost for ever
            failure.compareAndSet(null, e);
          } finally {
            room.release();
          }
        });
  }

  private static @Nullable InodeBatch readBatch(SectionReader reader) throws IOException {
    byte[] bytes = new byte[BATCH_BYTES];
    int[] ends = new int[MOST_IN_BATCH];
    int count = 0;
    int end = 0;
    while (count < MOST_IN_BATCH && end < BATCH_BYTES / 2) {
      int length = reader.nextLength();
      if (length < 0) {
        break;
      }
      if (length > bytes.length - end) {
        byte[] large = reader.readBytes(length);
        bytes = Arrays.copyOf(bytes, end + length);
        System.arraycopy(large, 0, bytes, end, length);
      } else {
        reader.readFully(bytes, end, length);
      }
      end += length;
      ends[count++] = end;
    }
    return count == 0 ? null : new InodeBatch(bytes, ends, count);
  }

  private void rethrow() throws IOException {
    Throwable first = failure.get();
    if (first instanceof IOException e) {
      throw e;
    }
    if (first instanceof RuntimeException e) {
      throw e;
    }
    if (first instanceof OutOfMemoryError) {
      throw new IOException("The memory of the JVM does not suffice: give it more by -Xmx", first);
    }
    if (first != null) {
      throw new IOException("The image could not be read: " + first, first);
    }
  }

  private void end(ExecutorService pool) throws IOException {
    pool.shutdown();
    try {
      if (!pool.awaitTermination(1, TimeUnit.MINUTES)) {
        throw new IOException("A thread that reads the image does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
