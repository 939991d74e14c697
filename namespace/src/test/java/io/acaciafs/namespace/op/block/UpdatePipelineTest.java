package io.acaciafs.namespace.op.block;

import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.file.CompleteFile;
import io.acaciafs.namespace.op.file.Fsync;
import io.acaciafs.namespace.op.lease.RecoverLease;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;
import org.junit.jupiter.api.Test;

/** Also of {@link UpdateBlockForPipeline}. */
class UpdatePipelineTest extends OperationTest {
  @Test
  void theBlockGetsTheStampThatWasIssuedLast() throws IOException {
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    long first = issue(block);
    long second = issue(block);
    assertThat(second).isGreaterThan(first).isGreaterThan(block.getGenerationStamp());
    assertThat(fs.fileAt("/f").lastBlock().generationStamp()).isEqualTo(block.getGenerationStamp());

    Block updated = new Block(block.getBlockId(), 40, second);
    fs.run(update(block, updated));
    assertThat(fs.fileAt("/f").lastBlock().generationStamp()).isEqualTo(second);
    assertThat(fs.run(new CompleteFile("/f", id, CLIENT, updated))).isTrue();
    assertThat(fs.fileAt("/f").lengthBytes()).isEqualTo(40);
  }

  @Test
  void theFileIsFoundWhereverItWasRenamedTo() throws IOException {
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    fs.run(new Rename("/f", "/g"));
    long stamp = issue(block);
    fs.run(update(block, new Block(block.getBlockId(), 1, stamp)));
    assertThat(fs.fileAt("/g").lastBlock().generationStamp()).isEqualTo(stamp);
  }

  @Test
  void stampsAndLengthsOnlyGrow() throws IOException {
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    fs.run(new Fsync("/f", id, CLIENT, 30));
    assertRefused(update(block, block))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("larger generation stamp");
    assertRefused(update(block, new Block(block.getBlockId(), 29, issue(block))))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("smaller size");
  }

  @Test
  void onlyTheWriterOfAnOpenBlockMayDoIt() throws IOException {
    Block closed = fs.fileWithBlock("/closed", 10);
    assertRefused(new UpdateBlockForPipeline(closed, CLIENT))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("COMPLETE");
    assertRefused(new UpdateBlockForPipeline(new Block(404), CLIENT))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("does not exist");
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    assertRefused(new UpdateBlockForPipeline(block, "another"))
        .isInstanceOf(LeaseExpiredException.class);
    fs.run(new RecoverLease("/f", CLIENT));
    assertRefused(new UpdateBlockForPipeline(block, CLIENT))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("UNDER_RECOVERY");
  }

  private long issue(Block block) throws IOException {
    return fs.run(new UpdateBlockForPipeline(block, CLIENT)).getBlock().getGenerationStamp();
  }

  private static UpdatePipeline update(Block block, Block updated) {
    return new UpdatePipeline(CLIENT, block, updated, List.of(), List.of());
  }
}
