package io.acaciafs.kv.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.memory.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class StoreCopyTest {
  private static final Table SOME = new Table("some", 2);
  private static final Table MANY = Table.ofScatteredRows("many");
  private static final Table NONE = Table.ofSingleRows("none");
  private static final Set<Table> TABLES = Set.of(SOME, MANY, NONE);
  private static final int ROWS = 1_000;
  private static final int IN_RUN = 30;
  private static final int IN_PART = 90;

  private final MemoryStore source = new MemoryStore();
  private final MemoryStore target = new MemoryStore();
  private final Map<Table, byte[]> marks = new ConcurrentHashMap<>();
  private final LongAdder copied = new LongAdder();

  StoreCopyTest() {
    Transaction filling = source.begin();
    for (int i = 0; i < ROWS; i++) {
      filling.put(key(MANY, i), new byte[] {(byte) i});
    }
    filling.put(key(SOME, 7), new byte[0]);
    filling.commit().join();
  }

  private static Key key(Table table, int number) {
    return new Key(table, ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }

  private static List<Row> rows(Store store, Table table) {
    List<Row> rows = new ArrayList<>();
    try (Scan scan = store.scan(KeyRange.ofTable(table))) {
      scan.forEachRemaining(rows::add);
    }
    return rows;
  }

  /** Makes rows visible when it is told to finish, or fails then. */
  private final class Loader implements BulkLoader {
    private final AtomicInteger finishes = new AtomicInteger();
    private final int last;
    private final Transaction some = target.begin();
    private Transaction many = target.begin();

    /**
     * @param last after so many the table MANY fails
     */
    Loader(int last) {
      this.last = last;
    }

    @Override
    public Run begin(Table table) {
      return new Run() {
        @Override
        public void add(Key key, byte[] value) {
          (table.equals(MANY) ? many : some).put(key, value);
        }

        @Override
        public void close() {
          // nothing is open
        }
      };
    }

    @Override
    public void finish(Table table) {
      if (!table.equals(MANY)) {
        some.commit().join();
        return;
      }
      if (finishes.incrementAndGet() > last) {
        throw new StoreException("cut off");
      }
      many.commit().join();
      many = target.begin();
    }
  }

  private RowDigest copy(BulkLoader loader) throws IOException {
    return new StoreCopy(source, TABLES, 2, IN_RUN, IN_PART)
        .run(
            loader,
            new CopyMarks() {
              @Override
              public byte[] reached(Table table) {
                return marks.get(table);
              }

              @Override
              public void reach(Table table, byte[] key) {
                marks.put(table, key);
              }
            },
            copied::add);
  }

  private static RowDigest digest(Store store) throws IOException {
    return StoreDigest.of(store, TABLES, 2, rows -> {});
  }

  private void requireSame(RowDigest read) throws IOException {
    assertThat(rows(target, MANY)).usingRecursiveComparison().isEqualTo(rows(source, MANY));
    assertThat(rows(target, SOME)).usingRecursiveComparison().isEqualTo(rows(source, SOME));
    assertThat(read).isEqualTo(digest(source)).isEqualTo(digest(target));
    assertThat(read.rows()).isEqualTo(ROWS + 1);
  }

  @Test
  void allRowsAreCopied() throws Exception {
    requireSame(copy(new Loader(Integer.MAX_VALUE)));
    assertThat(copied.sum()).isEqualTo(ROWS + 1);
  }

  @Test
  void copyThatWasCutOffGoesOn() throws Exception {
    assertThatThrownBy(() -> copy(new Loader(3)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cut off");
    assertThat(marks.get(MANY)).isEqualTo(key(MANY, 3 * IN_PART - 1).bytes());
    Loader rest = new Loader(Integer.MAX_VALUE);
    requireSame(copy(rest));
    assertThat(rest.finishes).hasValue((ROWS - 3 * IN_PART + IN_PART - 1) / IN_PART);
  }

  /** What the earlier one has brought is not what the source says now. */
  @Test
  void changeOfSourceBetweenIsSeen() throws Exception {
    assertThatThrownBy(() -> copy(new Loader(3))).isInstanceOf(IOException.class);
    Transaction change = source.begin();
    change.put(key(MANY, 1), new byte[] {77});
    change.commit().join();
    RowDigest read = copy(new Loader(Integer.MAX_VALUE));
    assertThat(read).isEqualTo(digest(source)).isNotEqualTo(digest(target));
  }

  @Test
  void copyThatIsWholeCopiesNothingAgain() throws Exception {
    copy(new Loader(Integer.MAX_VALUE));
    Loader again = new Loader(0);
    requireSame(copy(again));
    assertThat(again.finishes).hasValue(0);
  }
}
