package io.acaciafs.systemtests.kill;

import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.kill.Ledger.Expectation.Absent;
import io.acaciafs.systemtests.kill.Ledger.Expectation.Closed;
import io.acaciafs.systemtests.kill.Ledger.Expectation.Created;
import io.acaciafs.systemtests.kill.Ledger.Expectation.HereOr;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Compares ledgers with what is there. Thread-safe. */
final class Audit {
  private static final int READERS = 8;

  private final FileSystem fs;

  Audit(FileSystem fs) {
    this.fs = fs;
  }

  /** All differences, one a line; empty when every promise was kept. */
  List<String> differences(List<Ledger> ledgers) throws Exception {
    ForkJoinPool pool = new ForkJoinPool(READERS);
    try {
      return pool.submit(
              () ->
                  ledgers.parallelStream()
                      .flatMap(ledger -> ledger.expectations().entrySet().stream())
                      .flatMap(entry -> check(entry).stream())
                      .toList())
          .get();
    } finally {
      pool.shutdownNow();
    }
  }

  private Optional<String> check(Map.Entry<String, Ledger.Expectation> entry) {
    String path = entry.getKey();
    Ledger.Expectation expected = entry.getValue();
    try {
      return holds(path, expected)
          ? Optional.empty()
          : Optional.of(path + " is not as acknowledged: " + expected);
    } catch (IOException e) {
      return Optional.of(path + " cannot be read, acknowledged: " + expected + ", but: " + e);
    }
  }

  private boolean holds(String path, Ledger.Expectation expected) throws IOException {
    if (expected instanceof Closed closed) {
      return has(path, closed.content());
    }
    if (expected instanceof HereOr either) {
      return exists(path) != exists(either.other())
          && has(exists(path) ? path : either.other(), either.content());
    }
    if (expected instanceof Created) {
      return exists(path);
    }
    return expected instanceof Absent && !exists(path);
  }

  private boolean exists(String path) throws IOException {
    return fs.exists(new Path(path));
  }

  private boolean has(String path, Content content) throws IOException {
    return Arrays.equals(Content.read(fs, new Path(path)), content.bytes());
  }
}
