package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RecentRowsTest {
  private static final Table TABLE = new Table("rows", 2);
  private static final int PLACE_BITS = 16;

  private final RecentRows recent = new RecentRows();

  private static Key key(String text) {
    return new Key(TABLE, text.getBytes(StandardCharsets.UTF_8));
  }

  private static QueuedCommit.Row row(Key key) {
    QueuedCommit commit = new QueuedCommit(1, new int[0]);
    commit.add(key, 1, new byte[] {1}, false);
    return commit.rows().get(0);
  }

  @Test
  void findsTheRowThatWasPutLast() {
    QueuedCommit.Row later = row(key("aaname"));
    recent.put(row(key("aaname")));
    recent.put(later);

    assertThat(recent.get(key("aaname"))).isSameAs(later);
    assertThat(recent.get(key("aaother"))).isNull();
  }

  @Test
  void findsNothingOfARowThatIsAboutToChange() {
    recent.put(row(key("aaname")));
    recent.forget(key("aaname"));
    assertThat(recent.get(key("aaname"))).isNull();

    QueuedCommit.Row later = row(key("aaname"));
    recent.put(later);
    assertThat(recent.get(key("aaname"))).isSameAs(later);
  }

  @Test
  void keepsOneOfTwoRowsWithTheSamePlace() {
    Key one = key("aa0");
    Key other = keyAtThePlaceOf(one);
    QueuedCommit.Row last = row(other);
    recent.put(row(one));
    recent.put(last);

    recent.forget(one); // it has gone, and the other one is not meant
    assertThat(recent.get(one)).isNull();
    assertThat(recent.get(other)).isSameAs(last);

    QueuedCommit.Row again = row(one);
    recent.put(again);
    assertThat(recent.get(one)).isSameAs(again);
    assertThat(recent.get(other)).isNull();
  }

  private static Key keyAtThePlaceOf(Key key) {
    for (int i = 0; ; i++) {
      Key other = key("bb" + i);
      if (placeOf(other) == placeOf(key)) {
        return other;
      }
    }
  }

  private static long placeOf(Key key) {
    return key.hash() >>> Long.SIZE - PLACE_BITS;
  }
}
