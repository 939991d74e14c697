package io.acaciafs.hbase.coprocessor;

import io.acaciafs.hbase.protocol.Family;
import io.acaciafs.hbase.protocol.PageRequest;
import io.acaciafs.hbase.protocol.StoredPage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.jspecify.annotations.Nullable;

/**
 * Pages of rows of one region, by way of the {@link PageCache}. The rows of a page are as they were
 * committed and durable at one moment during the call. Safe for use by many threads.
 */
final class RegionPages {
  /** A page ends when its rows take this many bytes. */
  static final int MOST_BYTES_OF_A_PAGE = 1 << 18;

  /** The pages of one call end when they take this many bytes; the caller asks for them again. */
  static final int MOST_BYTES_OF_A_CALL = 1 << 19;

  private final Region region;
  private final PageCache cache;
  private final int number;

  RegionPages(Region region, PageCache cache) {
    this.region = region;
    this.cache = cache;
    this.number = cache.newRegion();
  }

  List<StoredPage> read(List<PageRequest> wanted) throws IOException {
    List<StoredPage> pages = new ArrayList<>(wanted.size());
    int bytes = 0;
    for (PageRequest request : wanted) {
      StoredPage page =
          bytes < MOST_BYTES_OF_A_CALL ? read(request) : new StoredPage.Builder().build(true);
      bytes += page.bytes();
      pages.add(page);
    }
    return pages;
  }

  private StoredPage read(PageRequest request) throws IOException {
    StoredPage known = cache.get(number, request);
    if (known != null) {
      return known;
    }
    PageCache.Reading reading = cache.begin(number, request);
    @Nullable StoredPage page = null;
    byte[] end = request.end();
    try {
      StoredPage.Builder builder = new StoredPage.Builder();
      byte[] next = readFromStore(request, builder);
      page = builder.build(next != null);
      end = next == null ? end : next;
      return page;
    } finally {
      cache.end(reading, page, end);
    }
  }

  /**
   * @return where the rows go on; null at their end
   */
  private byte @Nullable [] readFromStore(PageRequest request, StoredPage.Builder page)
      throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(request.first())
            .withStopRow(request.end())
            .addFamily(Family.DATA.bytes())
            .setReadType(Scan.ReadType.PREAD);
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      byte[] last = request.first();
      boolean hasMore = true;
      for (int rows = 0;
          hasMore && rows < request.limit() && page.bytes() < MOST_BYTES_OF_A_PAGE;
          rows++) {
        cells.clear();
        hasMore = scanner.next(cells);
        if (!cells.isEmpty()) {
          last = CellUtil.cloneRow(cells.get(0));
          page.add(last, RegionRows.stored(cells));
        }
      }
      return hasMore ? Arrays.copyOf(last, last.length + 1) : null;
    }
  }

  void beginChange(byte[] row) {
    cache.beginChange(number, row);
  }

  void endChange(byte[] row) {
    cache.endChange(number, row);
  }

  void forgetAll() {
    cache.forgetAll(number);
  }
}
