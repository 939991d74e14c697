package io.acaciafs.bench.workload;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.Method;
import io.acaciafs.bench.client.PathBuffer;
import io.acaciafs.bench.client.Slot;
import io.acaciafs.bench.client.Step;
import java.util.SplittableRandom;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingRequestProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * Lists directories page by page, round and round, without end. Each begins at a page of its own,
 * so that many do not ask the same at the same time.
 */
final class Pages implements CallSource {
  /** As many entries as a NameNode tells at once unless told otherwise. */
  private static final int PAGE = 1000;

  private static final int NAME_DIGITS = 7;

  private final PathBuffer path = new PathBuffer();
  private final PathBuffer name = new PathBuffer();
  private final Layout layout;
  private final int entries;
  private int directory;
  private int next;

  /**
   * @param entries of each directory
   */
  Pages(Layout layout, int entries, SplittableRandom random) {
    this.layout = layout;
    this.entries = entries;
    directory = random.nextInt(layout.directories());
    next = random.nextInt((entries + PAGE - 1) / PAGE) * PAGE;
  }

  @Override
  public Step next(Slot slot) {
    slot.call(Method.GET_LISTING, layout.directory(path, directory), startAfter());
    next += PAGE;
    if (next >= entries) {
      next = 0;
      directory = (directory + 1) % layout.directories();
    }
    return Step.CALL;
  }

  /** A second value of the field, which counts. */
  private byte[] startAfter() {
    if (next == 0) {
      return new byte[0];
    }
    name.set(new byte[] {'f'}).append(next - 1, NAME_DIGITS);
    return GetListingRequestProto.newBuilder()
        .setStartAfter(ByteString.copyFromUtf8(name.toString()))
        .buildPartial()
        .toByteArray();
  }
}
