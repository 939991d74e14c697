package io.acaciafs.kv.raft.compare;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.raft.call.BytesService;
import io.acaciafs.kv.rocksdb.RocksDbView;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member's part in comparisons: takes a view of its store when it applies the mark of one that a
 * leader has announced, and answers that leader. It keeps one view at most, and none that nobody
 * has asked for a while.
 *
 * <p>A view is taken of announced marks alone. So a member whose store was opened after the
 * announcement takes none: what its files hold may be ahead of what it has applied.
 *
 * <p>Safe for use by many threads. {@link #mark} never waits; the other methods wait for each
 * other.
 */
public final class MemberViews implements BytesService.Answerer {
  /** By which members ask each other. */
  public static final BytesService SERVICE = new BytesService("io.acaciafs.kv.raft.Compare");

  /** A leader asks for the next range within seconds, unless another member does not answer. */
  static final long KEPT_NS = TimeUnit.SECONDS.toNanos(120);

  private static final Logger LOG = LoggerFactory.getLogger(MemberViews.class);
  private static final long NONE = 0;
  private static final byte[] DONE = {};

  /** After which a range ends, whatever rows it has. */
  private static final long BYTES_OF_A_RANGE = 1 << 20;

  private final LongSupplier nanoTime;
  private final AtomicLong expected = new AtomicLong(NONE);

  /** Were taken, and nobody has asked for. */
  private final Queue<ComparedView> taken = new ConcurrentLinkedQueue<>();

  private @Nullable ComparedView current;

  /** When it was asked for something last, or announced. */
  private long usedNs;

  public MemberViews(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Whether a comparison was announced, and its mark has not come. */
  public boolean isExpected(long id) {
    return id != NONE && expected.get() == id;
  }

  /**
   * The mark of a comparison is applied: keeps a view where it was announced. Called by the thread
   * that applies entries.
   */
  public void mark(long id, Supplier<RocksDbView> store) {
    if (id == NONE || !expected.compareAndSet(id, NONE)) {
      return;
    }
    try {
      long begunNs = nanoTime.getAsLong();
      taken.add(new ComparedView(id, store.get()));
      LOG.info("Stores are compared as of now us={}", (nanoTime.getAsLong() - begunNs) / 1_000);
    } catch (StoreException e) { // the leader is told that there is none
      LOG.warn("This member cannot be compared with the others", e);
    }
  }

  @Override
  public synchronized byte[] answer(byte[] bytes) throws IOException {
    Request request = Request.decode(bytes);
    usedNs = nanoTime.getAsLong();
    return switch (request.kind()) {
      case EXPECT -> expect(request.id());
      case IS_TAKEN -> new byte[] {(byte) (find(request.id()) == null ? 0 : 1)};
      case RELEASE -> release(request.id());
      case NEXT, DIGEST, LIST -> answer(request, require(request.id()));
    };
  }

  private byte[] expect(long id) {
    end();
    expected.set(id);
    return DONE;
  }

  private byte[] release(long id) {
    expected.compareAndSet(id, NONE);
    if (find(id) != null) {
      close();
    }
    return DONE;
  }

  private static byte[] answer(Request request, ComparedView view) {
    Table table = view.table(request.table());
    KeyRange range = new KeyRange(table, request.from(), request.to());
    return switch (request.kind()) {
      case DIGEST -> Request.encode(view.digest(range)::write);
      case LIST -> Request.encode(view.list(range, request.atMost()));
      default -> {
        ComparedView.Slice slice =
            view.next(table, request.from(), request.atMost(), BYTES_OF_A_RANGE);
        yield Request.encode(
            out -> {
              Request.writeKey(out, slice.range().to());
              slice.digest().write(out);
            });
      }
    };
  }

  private ComparedView require(long id) throws IOException {
    ComparedView view = find(id);
    if (view == null) {
      throw new IOException("it no longer has the view of its store that is compared");
    }
    return view;
  }

  /** Null where it was not taken, or is gone. */
  private @Nullable ComparedView find(long id) {
    adopt();
    return current != null && current.id() == id ? current : null;
  }

  private void adopt() {
    for (ComparedView next = taken.poll(); next != null; next = taken.poll()) {
      close();
      current = next;
    }
  }

  private void close() {
    if (current != null) {
      current.close();
      current = null;
    }
  }

  /** Gives up a view that nobody has asked for something for a while. */
  public synchronized void removeUnused() {
    if (nanoTime.getAsLong() - usedNs > KEPT_NS) {
      end();
    }
  }

  /** The store is another one from now on, or ends. */
  public synchronized void end() {
    expected.set(NONE);
    adopt();
    close();
  }
}
