package io.acaciafs.namenode.calls;

import io.acaciafs.namenode.encode.ReadReplies;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.BlockLocations;
import io.acaciafs.namenode.reply.Found;
import io.acaciafs.namenode.reply.NodeBasis;
import io.acaciafs.namenode.reply.SafeModeGuard;
import io.acaciafs.namespace.op.attribute.TouchAccessTime;
import io.acaciafs.namespace.op.file.GetFileToRead;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.rpc.protocol.CacheableReply;
import io.acaciafs.rpc.protocol.MustWaitException;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.jspecify.annotations.Nullable;

/** What a client that reads a file asks. */
public final class ReadingCalls {
  private final Answers answers;
  private final BlockLocations locations;
  private final SafeModeGuard safeMode;
  private final Clock clock;

  public ReadingCalls(
      Answers answers, BlockLocations locations, SafeModeGuard safeMode, Clock clock) {
    this.answers = answers;
    this.locations = locations;
    this.safeMode = safeMode;
    this.clock = clock;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol.cacheableMethod(
        "getBlockLocations", GetBlockLocationsRequestProto.class, true, this::getBlockLocations);
  }

  private CompletableFuture<CacheableReply> getBlockLocations(
      RpcCall call, GetBlockLocationsRequestProto request) {
    String path = request.getSrc();
    if (request.getOffset() < 0) {
      throw new IllegalArgumentException("Negative offset is not supported. File: " + path);
    }
    if (request.getLength() < 0) {
      throw new IllegalArgumentException("Negative length is not supported. File: " + path);
    }
    return answers
        .look(
            call,
            new GetFileToRead(path, request.getOffset(), request.getLength()),
            found -> reply(call, request, found))
        .thenApply(told -> noteAccess(call, told));
  }

  /**
   * @param touched files whose access time to set; null: none
   */
  private record Told(CacheableReply reply, @Nullable FileInode touched) {}

  /** In safe mode DataNodes may be missing that will be there soon: the reader is told so. */
  private Told reply(RpcCall call, GetBlockLocationsRequestProto request, Found<FileInode> found) {
    FileInode file = found.required();
    boolean isSafe = safeMode.safeMode().isOn();
    boolean isTouched = !isSafe && isAccessDue(call, file);
    if (isTouched) {
      locations.accessIsDue(request.getSrc());
    }
    NodeBasis nodes = locations.basisOfSigned(call);
    LocatedBlocks located =
        locations.of(call, found.reader(), file, request.getOffset(), request.getLength());
    boolean isSomewhere =
        located.getLocatedBlocks().stream().allMatch(block -> block.getLocations().length > 0);
    if (isSafe && !isSomewhere) {
      throw new CompletionException(
          safeMode.refusal("Zero blocklocations for " + request.getSrc()));
    }
    GetBlockLocationsResponseProto message = ReadReplies.locations(locations.sign(call, located));
    // in safe mode a block without locations has another answer
    boolean isLasting = !isSafe && isSomewhere && !isTouched && !file.isUnderConstruction();
    CacheableReply reply =
        isLasting
            ? nodes.limit(found.reply(message)).withMaxAgeMs(accessDueInMs(file))
            : CacheableReply.uncached(message);
    return new Told(reply, isTouched ? file : null);
  }

  private boolean isAccessDue(RpcCall call, FileInode file) {
    boolean isDue = accessDueInMs(file) <= 0;
    if (isDue && call.networkThread() != null) {
      throw new MustWaitException(); // for what is to be written
    }
    return isDue;
  }

  /** In the background: the reader does not wait for it, and does not see its failure. */
  private CacheableReply noteAccess(RpcCall call, Told told) {
    if (told.touched() != null) {
      answers
          .namespace()
          .submit(answers.callers().of(call), new TouchAccessTime(told.touched().id()));
    }
    return told.reply();
  }

  private long accessDueInMs(FileInode file) {
    return TouchAccessTime.dueInMs(
        file, answers.namespace().settings().accessTimePrecisionMs(), clock.millis());
  }
}
