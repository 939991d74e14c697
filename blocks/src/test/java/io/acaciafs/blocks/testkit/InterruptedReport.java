package io.acaciafs.blocks.testkit;

import java.util.Collections;
import java.util.Iterator;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** An empty full report in whose midst something else happens. */
public final class InterruptedReport extends BlockListAsLongs {
  private final Runnable meanwhile;

  public InterruptedReport(Runnable meanwhile) {
    this.meanwhile = meanwhile;
  }

  @Override
  public int getNumberOfBlocks() {
    return 0;
  }

  @Override
  public ByteString getBlocksBuffer() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long[] getBlockListAsLongs() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Iterator<BlockReportReplica> iterator() {
    meanwhile.run();
    return Collections.emptyIterator();
  }
}
