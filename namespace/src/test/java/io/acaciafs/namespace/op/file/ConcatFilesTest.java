package io.acaciafs.namespace.op.file;

import static io.acaciafs.namespace.testkit.NamespaceFixture.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.attribute.SetOwner;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.op.attribute.SetReplication;
import io.acaciafs.namespace.op.quota.GetQuotaUsage;
import io.acaciafs.namespace.op.quota.SetQuota;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.testkit.FakeBlocks;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class ConcatFilesTest extends OperationTest {
  @Test
  void movesAllBlocksInOrder() throws IOException {
    Block one = fs.fileWithBlock("/a", 10);
    Block two = fs.fileWithBlock("/b", 20);
    Block three = fs.fileWithBlock("/c", 30);
    fs.run(new SetReplication("/a", (short) 7));
    fs.run(new ConcatFiles("/a", List.of("/c", "/b")));

    assertThat(fs.fileAt("/a").blocks())
        .extracting(FileBlock::id)
        .containsExactly(one.getBlockId(), three.getBlockId(), two.getBlockId());
    assertThat(fs.fileAt("/a").lengthBytes()).isEqualTo(60);
    assertThat(fs.list("/")).containsExactly("a");
    assertThat(FakeBlocks.ids(fs.store())).hasSize(3);
    assertThat(FakeBlocks.replicationOf(fs.store(), two.getBlockId())).isEqualTo((short) 7);
    assertThat(fs.damage(true)).isEmpty();
    long owner =
        fs.run(tree -> tree.blocks().status(tree.transaction(), two.getBlockId()).fileId());
    assertThat(owner).isEqualTo(fs.fileAt("/a").id());
  }

  @Test
  void refusesWhatCannotBeJoined() throws IOException {
    fs.mkdir("/d");
    fs.fileWithBlock("/a", 10);
    fs.fileWithBlock("/b", 10);
    fs.fileWithBlock("/d/f", 10);
    fs.file("/empty");
    fs.open("/open");
    assertRefused(new ConcatFiles("/a", List.of("/d/f")))
        .isInstanceOf(HadoopIllegalArgumentException.class)
        .hasMessageContaining("not in the same directory");
    assertRefused(new ConcatFiles("/a", List.of("/a")))
        .isInstanceOf(HadoopIllegalArgumentException.class)
        .hasMessageContaining("same with the target");
    assertRefused(new ConcatFiles("/a", List.of("/b", "/b")))
        .isInstanceOf(HadoopIllegalArgumentException.class)
        .hasMessageContaining("at least two");
    assertRefused(new ConcatFiles("/a", List.of("/empty")))
        .isInstanceOf(HadoopIllegalArgumentException.class);
    assertRefused(new ConcatFiles("/a", List.of("/open")))
        .isInstanceOf(HadoopIllegalArgumentException.class);
    assertRefused(new ConcatFiles("/open", List.of("/a")))
        .isInstanceOf(HadoopIllegalArgumentException.class)
        .hasMessageContaining("under construction");
    assertRefused(new ConcatFiles("/a", List.of("/nothing")))
        .isInstanceOf(FileNotFoundException.class);
    assertRefused(new ConcatFiles("/a", List.of())).isInstanceOf(IllegalArgumentException.class);
    assertRefused(new ConcatFiles("/.reserved/raw/a", List.of("/b")))
        .isExactlyInstanceOf(IOException.class);
    assertThat(fs.list("/")).contains("a", "b", "empty", "open");
  }

  @Test
  void theStickyBitKeepsFilesOfOthers() throws IOException {
    fs.mkdir("/d");
    fs.fileWithBlock("/d/a", 10);
    fs.fileWithBlock("/d/b", 20);
    for (String file : List.of("/d/a", "/d/b")) {
      fs.run(new SetPermission(file, new FsPermission((short) 0666)));
    }
    fs.run(new SetOwner("/d/a", "bob", null));
    fs.run(new SetPermission("/d", new FsPermission((short) 01777)));
    assertRefused(BOB, new ConcatFiles("/d/a", List.of("/d/b")))
        .isInstanceOf(AccessControlException.class)
        .hasMessageStartingWith("Permission denied by sticky bit: user=bob, path=\"/d/b\"");
    fs.run(new SetOwner("/d/b", "bob", null));
    fs.run(BOB, new ConcatFiles("/d/a", List.of("/d/b")));
    assertThat(fs.list("/d")).containsExactly("a");
  }

  @Test
  void quotasCountEachByteOnce() throws IOException {
    fs.mkdir("/d");
    fs.run(new SetQuota("/d", 10, 1_000_000, null));
    fs.fileWithBlock("/d/a", 10);
    fs.fileWithBlock("/d/b", 20);
    fs.run(new ConcatFiles("/d/a", List.of("/d/b")));
    assertThat(fs.run(new GetQuotaUsage("/d")).getSpaceConsumed()).isEqualTo(3 * 30);
    assertThat(fs.run(new GetQuotaUsage("/d")).getFileAndDirectoryCount()).isEqualTo(2);

    fs.run(new AppendFile("/d/a", "c", false));
    assertThat(fs.run(new GetQuotaUsage("/d")).getSpaceConsumed()).isEqualTo(3 * (10 + 1024));
  }
}
