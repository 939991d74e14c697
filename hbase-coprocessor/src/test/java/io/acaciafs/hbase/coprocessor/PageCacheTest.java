package io.acaciafs.hbase.coprocessor;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.hbase.protocol.PageRequest;
import io.acaciafs.hbase.protocol.StoredPage;
import io.acaciafs.hbase.protocol.StoredRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A page leaves the cache before one of its rows changes, and nobody puts an earlier state back.
 */
class PageCacheTest {
  private static final int STEPS = 100_000;

  private final PageCache cache = new PageCache(1 << 20);
  private final int region = cache.newRegion();
  private final PageRequest request = request(10, 20, 5);
  private final StoredPage page = new StoredPage.Builder().build(false);

  @BeforeEach
  void keep() {
    keep(request, page, 20);
    assertThat(cache.get(region, request)).isSameAs(page);
  }

  @Test
  void onlyTheSameRequestIsAnswered() {
    assertThat(cache.get(region, request(10, 20, 6))).isNull();
    assertThat(cache.get(region, request(10, 21, 5))).isNull();
    assertThat(cache.get(region, request(11, 20, 5))).isNull();
    assertThat(cache.get(cache.newRegion(), request)).isNull();
  }

  @Test
  void aChangeTakesThePageOutAtItsBeginThatSpeaksForTheRow() {
    for (int outside : new int[] {9, 20, 200}) {
      cache.beginChange(region, row(outside));
    }
    cache.beginChange(cache.newRegion(), row(15));
    assertThat(cache.get(region, request)).isSameAs(page);
    cache.beginChange(region, row(19));
    assertThat(cache.get(region, request)).isNull();
  }

  @Test
  void aReadThatBeganBeforeAChangeIsNotKept() {
    cache.forgetAll(region);
    PageCache.Reading reading = cache.begin(region, request);
    cache.beginChange(region, row(15));
    cache.endChange(region, row(15));
    cache.end(reading, page, row(20));
    assertThat(cache.get(region, request)).isNull();
  }

  @Test
  void aReadThatBeganDuringAChangeIsNotKept() {
    cache.beginChange(region, row(15));
    cache.beginChange(region, row(15));
    cache.endChange(region, row(15));
    keep(request, page, 20);
    assertThat(cache.get(region, request)).isNull();
    cache.endChange(region, row(15));
    keep(request, page, 20);
    assertThat(cache.get(region, request)).isSameAs(page);
  }

  @Test
  void aReadDuringABulkLoadIsNotKept() {
    PageCache.Reading reading = cache.begin(region, request);
    cache.forgetAll(region);
    cache.end(reading, page, row(20));
    assertThat(cache.get(region, request)).isNull();
  }

  @Test
  void aNewPageTakesThePlaceOfThoseThatItMeets() {
    keep(request(25, 30, 5), page, 30);
    keep(request(40, 50, 5), page, 50);
    keep(request(15, 40, 5), page, 40);
    assertThat(cache.get(region, request)).isNull();
    assertThat(cache.get(region, request(25, 30, 5))).isNull();
    assertThat(cache.get(region, request(15, 40, 5))).isSameAs(page);
    assertThat(cache.get(region, request(40, 50, 5))).isSameAs(page);
  }

  @Test
  void theLeastRecentlyUsedPagesGo() {
    PageCache small = new PageCache(64 * 400);
    int own = small.newRegion();
    for (int i = 0; i < 250; i++) {
      PageRequest next = request(i, i + 1, 5);
      small.end(small.begin(own, next), page, row(i + 1));
      assertThat(small.get(own, next)).isSameAs(page);
      assertThat(small.get(own, request(0, 1, 5))).as("used all the time").isSameAs(page);
    }
    assertThat(small.get(own, request(1, 2, 5))).isNull();
  }

  @Test
  void aPageThatIsLargeForTheCacheIsNotKept() {
    StoredPage.Builder large = new StoredPage.Builder();
    large.add(new byte[20_000], StoredRow.EMPTY);
    keep(request(50, 60, 5), large.build(false), 60);
    assertThat(cache.get(region, request(50, 60, 5))).isNull();
  }

  /** Reads and changes overlap in all ways; what is kept is always what the region shows. */
  @Test
  void whatIsKeptIsWhatTheRegionShows() {
    Random random = new Random(20261129);
    NavigableSet<Integer> shown = new TreeSet<>();
    Deque<Integer> changing = new ArrayDeque<>();
    List<Runnable> reading = new ArrayList<>();
    int hits = 0;
    for (int step = 0; step < STEPS; step++) {
      int first = random.nextInt(12);
      PageRequest wanted = request(first, first + 1 + random.nextInt(4), 1 + random.nextInt(2));
      int what = random.nextInt(24);
      if (what == 0) {
        changing.add(first);
        cache.beginChange(region, row(first));
      } else if (what < 5 && !changing.isEmpty()) {
        int row = changing.remove();
        if (!shown.remove(row)) {
          shown.add(row);
        }
        cache.endChange(region, row(row));
      } else if (what < 9 && reading.size() < 4) {
        PageCache.Reading begun = cache.begin(region, wanted);
        List<Integer> rows = rows(shown, wanted);
        boolean isFull = rows.size() == wanted.limit();
        int end = isFull ? rows.get(rows.size() - 1) + 1 : wanted.end()[0];
        reading.add(() -> cache.end(begun, pageOf(rows), row(end)));
      } else if (what < 13 && !reading.isEmpty()) {
        reading.remove(random.nextInt(reading.size())).run();
      } else {
        StoredPage kept = cache.get(region, wanted);
        if (kept != null) {
          hits++;
          List<Integer> rows = new ArrayList<>();
          kept.forEach((key, row) -> rows.add((int) key[0]));
          assertThat(rows).as("step %s", step).isEqualTo(rows(shown, wanted));
        }
      }
    }
    assertThat(hits).isGreaterThan(100);
  }

  private static List<Integer> rows(NavigableSet<Integer> shown, PageRequest wanted) {
    return shown.subSet((int) wanted.first()[0], (int) wanted.end()[0]).stream()
        .limit(wanted.limit())
        .collect(Collectors.toList());
  }

  private static StoredPage pageOf(List<Integer> rows) {
    StoredPage.Builder page = new StoredPage.Builder();
    rows.forEach(row -> page.add(row(row), StoredRow.EMPTY));
    return page.build(false);
  }

  private void keep(PageRequest wanted, StoredPage read, int end) {
    cache.end(cache.begin(region, wanted), read, row(end));
  }

  private static PageRequest request(int first, int end, int limit) {
    return new PageRequest(row(first), row(end), limit);
  }

  private static byte[] row(int number) {
    return new byte[] {(byte) number};
  }
}
