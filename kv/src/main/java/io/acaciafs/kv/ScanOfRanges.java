package io.acaciafs.kv;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** A scan of each range, begun when the one before is at its end. */
final class ScanOfRanges implements Scan {
  private final Reader reader;
  private final Iterator<KeyRange> ranges;
  private Scan scan;

  /**
   * @param ranges at least one
   */
  ScanOfRanges(Reader reader, List<KeyRange> ranges) {
    this.reader = reader;
    this.ranges = ranges.iterator();
    this.scan = reader.scan(this.ranges.next());
  }

  @Override
  public boolean hasNext() {
    while (!scan.hasNext() && ranges.hasNext()) {
      scan.close();
      scan = reader.scan(ranges.next());
    }
    return scan.hasNext();
  }

  @Override
  public Row next() {
    if (!hasNext()) {
      throw new NoSuchElementException("The scan is at its end");
    }
    return scan.next();
  }

  @Override
  public void close() {
    scan.close();
  }
}
