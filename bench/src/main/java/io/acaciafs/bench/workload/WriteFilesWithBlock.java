package io.acaciafs.bench.workload;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.Method;
import io.acaciafs.bench.client.PathBuffer;
import io.acaciafs.bench.client.Slot;
import io.acaciafs.bench.client.Step;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CompleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.jspecify.annotations.Nullable;

/**
 * Writes files of one block as a client does: create, addBlock, the replicas' reports, complete.
 */
final class WriteFilesWithBlock implements CallSource {
  private static final long LENGTH_BYTES = 64L * 1024 * 1024;

  /** Until it is asked again whether a file is complete. */
  private static final long NOT_YET_DELAY_MS = 20;

  private enum Phase {
    CREATE,
    ADD_BLOCK,
    REPORT,
    NOT_YET,
    COMPLETE
  }

  private final PathBuffer path = new PathBuffer();
  private final FileNames names;
  private final Replicas replicas;
  private Phase phase = Phase.CREATE;
  private @Nullable LocatedBlockProto block;
  private byte @Nullable [] last;
  private int next;

  WriteFilesWithBlock(FileNames names, Replicas replicas) {
    this.names = names;
    this.replicas = replicas;
  }

  @Override
  public Step next(Slot slot) {
    switch (phase) {
      case CREATE -> {
        if (names.of(path, next) == null) {
          return Step.END;
        }
        next++;
        slot.call(Method.CREATE, path);
      }
      case ADD_BLOCK -> slot.call(Method.ADD_BLOCK, path);
      case REPORT -> {
        phase = Phase.COMPLETE;
        replicas
            .report(Objects.requireNonNull(block, "it was added"), LENGTH_BYTES)
            .whenComplete((done, failure) -> slot.resume());
        return Step.WAIT;
      }
      case NOT_YET -> {
        phase = Phase.COMPLETE;
        slot.resumeAfter(NOT_YET_DELAY_MS);
        return Step.WAIT;
      }
      case COMPLETE ->
          slot.call(Method.COMPLETE, path, Objects.requireNonNull(last, "a block was added"));
    }
    return Step.CALL;
  }

  @Override
  public boolean answered(Slot slot, ByteBuf in, int lengthBytes) {
    switch (phase) {
      case CREATE -> phase = Phase.ADD_BLOCK;
      case ADD_BLOCK -> {
        take(in, lengthBytes);
        phase = Phase.REPORT;
      }
      case COMPLETE -> {
        boolean done = in.getByte(in.readerIndex() + lengthBytes - 1) == 1;
        phase = done ? Phase.CREATE : Phase.NOT_YET;
        return done;
      }
      case REPORT, NOT_YET -> throw new IllegalStateException("no call was made");
    }
    return false;
  }

  private void take(ByteBuf in, int lengthBytes) {
    LocatedBlockProto added;
    try {
      added = AddBlockResponseProto.parseFrom(new ByteBufInputStream(in, lengthBytes)).getBlock();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    block = added;
    last =
        CompleteRequestProto.newBuilder()
            .setLast(added.getB().toBuilder().setNumBytes(LENGTH_BYTES))
            .buildPartial()
            .toByteArray();
  }

  @Override
  public void failed() {
    phase = Phase.CREATE;
  }
}
