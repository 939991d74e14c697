package io.acaciafs.namespace.op.directory;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.attribute.SetXAttr;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import io.acaciafs.namespace.tree.InodeStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.DirectoryListingStartAfterNotFoundException;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class GetListingTest extends OperationTest {
  private static final byte[] START = new byte[0];

  private static List<String> names(GetListing.Page page) {
    return page.entries().stream().map(GetListingTest::name).toList();
  }

  private static String name(InodeStatus entry) {
    return new String(entry.localName(), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void ordersNamesBySignedBytes() throws IOException {
    for (String name : List.of("b", "a", "\u00e9", "\u4e2d", "~", "A", "ab")) {
      fs.file("/" + name);
    }
    assertThat(fs.list("/")).containsExactly("\u00e9", "\u4e2d", "A", "a", "ab", "b", "~");
  }

  @Test
  void comesInPages() throws IOException {
    for (int i = 0; i < 9; i++) {
      fs.file("/d/" + i);
    }
    GetListing.Page first = fs.run(new GetListing("/d", START, false));
    assertThat(names(first)).containsExactly("0", "1", "2", "3");
    assertThat(first.hasMore()).isTrue();
    GetListing.Page second = fs.run(new GetListing("/d", bytes("3"), false));
    assertThat(names(second)).containsExactly("4", "5", "6", "7");
    GetListing.Page last = fs.run(new GetListing("/d", bytes("7"), false));
    assertThat(names(last)).containsExactly("8");
    assertThat(last.hasMore()).isFalse();
    // a name that is not there (any more) does as well
    assertThat(names(fs.run(new GetListing("/d", bytes("35"), false)))).startsWith("4");
    assertThat(names(fs.run(new GetListing("/d", bytes("8"), false)))).isEmpty();
  }

  @Test
  void pagesOfLargeInodesAreShort() throws IOException {
    try (NamespaceFixture many =
        new NamespaceFixture(
            new MemoryStore(), NamespaceFixture.settings(1_000, 0), new ManualClock())) {
      int files = 20;
      for (int i = 0; i < files; i++) {
        String path = String.format("/d/%02d", i);
        many.file(path);
        for (int attribute = 0; attribute < 25; attribute++) {
          XAttr large =
              new XAttr.Builder()
                  .setNameSpace(XAttr.NameSpace.USER)
                  .setName("a" + attribute)
                  .setValue(new byte[16_000])
                  .build();
          many.run(new SetXAttr(path, large, EnumSet.of(XAttrSetFlag.CREATE)));
        }
      }
      List<String> listed = new ArrayList<>();
      byte[] after = START;
      boolean hasMore = true;
      while (hasMore) {
        GetListing.Page page = many.run(new GetListing("/d", after, false));
        assertThat(page.entries()).hasSizeLessThan(12);
        listed.addAll(names(page));
        after = bytes(listed.get(listed.size() - 1));
        hasMore = page.hasMore();
      }
      assertThat(listed).hasSize(files).doesNotHaveDuplicates().isSorted();
    }
  }

  @Test
  void goesOnBehindAnInode() throws IOException {
    fs.file("/d/a");
    long b = fs.file("/d/b");
    fs.file("/d/c");
    assertThat(names(fs.run(new GetListing("/d", bytes("/.reserved/.inodes/" + b), false))))
        .containsExactly("c");
    fs.run(new Delete("/d/b", false));
    assertRefused(new GetListing("/d", bytes("/.reserved/.inodes/" + b), false))
        .isInstanceOf(DirectoryListingStartAfterNotFoundException.class)
        .hasMessage("Can't find startAfter /.reserved/.inodes/" + b);
    assertThat(names(fs.run(new GetListing("/d", bytes("/.reserved/.inodes/16385"), false))))
        .containsExactly("a", "c");
  }

  @Test
  void aPageWithLocationsEndsAfterAsManyReplicas() throws IOException {
    for (String name : List.of("a", "b", "c")) {
      fs.fileWithBlock("/d/" + name, 1);
    }
    GetListing.Page page = fs.run(new GetListing("/d", START, true));
    assertThat(names(page)).containsExactly("a", "b");
    assertThat(page.hasMore()).isTrue();
    assertThat(names(fs.run(new GetListing("/d", START, false)))).hasSize(3);
  }

  @Test
  void aFileIsListedAsItselfWithoutAName() throws IOException {
    long file = fs.file("/f");
    GetListing.Page page = fs.run(new GetListing("/f", START, false));
    assertThat(page.entries()).hasSize(1);
    assertThat(page.entries().get(0).inode().id()).isEqualTo(file);
    assertThat(page.entries().get(0).localName()).isEmpty();
  }

  @Test
  void nothingIsThereForAPathThatLeadsNowhere() throws IOException {
    assertThat(fs.run(new GetListing("/x", START, false))).isNull();
  }

  @Test
  void showsTheReservedNames() throws IOException {
    assertThat(names(fs.run(new GetListing("/.reserved", START, false))))
        .containsExactly(".inodes", "raw");
  }

  @Test
  void needsToReadTheDirectory() throws IOException {
    fs.mkdir(SUPERUSER, "/d", 0711);
    assertRefused(ALICE, new GetListing("/d", START, false))
        .isInstanceOf(AccessControlException.class)
        .hasMessage(
            "Permission denied: user=alice, access=READ_EXECUTE,"
                + " inode=\"/d\":hdfs:supergroup:drwx--x--x");
  }
}
