package io.acaciafs.namespace.summary;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.quota.GetContentSummary;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.testkit.CountedReads;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Large directories are read again when they have changed, and only then. */
class SummaryCacheTest {
  private static final int FILES_OF_SMALL = 100;

  /** More than a slice reads. */
  private static final int FILES_OF_LARGE = 9_300;

  private static final int FILES = FILES_OF_SMALL + 2 * FILES_OF_LARGE;

  private final CountedReads reads = new CountedReads();
  @TempDir private Path folder;
  private NamespaceFixture fs;

  @BeforeEach
  void makeDirectories() throws Exception {
    RocksDbStore store =
        RocksDbStore.open(folder, NamespaceFixture.tables(), RocksDbOptions.defaults());
    fs = new NamespaceFixture(reads.of(store), NamespaceFixture.settings(4, 0), new ManualClock());
    fs.mkdir("/d");
    makeFiles("/d/a", FILES_OF_SMALL);
    makeFiles("/d/b", FILES_OF_LARGE);
    makeFiles("/d/c", FILES_OF_LARGE);
  }

  @AfterEach
  void stop() {
    fs.close();
  }

  /** One, and then rows like its own. */
  private void makeFiles(String path, int count) throws Exception {
    fs.mkdir(path);
    fs.file(path + "/f0");
    DirectoryInode directory = (DirectoryInode) fs.info(path).inode();
    Transaction transaction = fs.store().begin();
    byte[] row =
        transaction
            .unguarded()
            .get(NamespaceKeys.entry(directory.locator(), 0, "f0".getBytes(UTF_8)));
    for (int i = 1; i < count; i++) {
      byte[] name = ("f" + i).getBytes(UTF_8);
      transaction.put(NamespaceKeys.entry(directory.locator(), 0, name), row);
    }
    transaction.commit().get(60, TimeUnit.SECONDS);
  }

  /** How many scans the count took. */
  private long count(int expectedFiles) throws IOException {
    reads.calls();
    ContentSummary summary = fs.run(new GetContentSummary("/d"));
    assertThat(summary.getFileCount()).isEqualTo(expectedFiles);
    return reads.calls().stream().filter("Reader.scan"::equals).count();
  }

  @Test
  void onlyWhatHasChangedIsReadAgain() throws Exception {
    assertThat(count(FILES)).isGreaterThan(4);
    assertThat(count(FILES)).as("scans of /d and /d/a").isEqualTo(2);
    assertThat(count(FILES)).isEqualTo(2);
    assertThat(fs.run(new Delete("/d/c/f7", false))).isTrue();
    assertThat(count(FILES - 1)).as("scans of /d/c as well").isGreaterThan(2);
    assertThat(count(FILES - 1)).isEqualTo(2);
    fs.file("/d/b/more");
    assertThat(count(FILES)).isGreaterThan(2);
    assertThat(count(FILES)).isEqualTo(2);
  }

  @Test
  void directoriesAreLookedAtForEachCaller() throws Exception {
    for (String directory : new String[] {"/d/b/f40x", "/d/b/f80x"}) {
      fs.mkdir(SUPERUSER, directory, 0700);
      makeFiles(directory + "/e", FILES_OF_SMALL);
    }
    for (int i = 0; i < 3; i++) {
      count(FILES + 2 * FILES_OF_SMALL);
      assertThatThrownBy(() -> fs.run(ALICE, new GetContentSummary("/d")))
          .isInstanceOf(AccessControlException.class);
    }
  }
}
