package io.acaciafs.namenode;

import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.op.GetFile;
import io.acaciafs.namespace.op.TouchAccessTime;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.rpc.RpcCall;
import io.acaciafs.rpc.RpcProtocol;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;

/** What a client that reads a file asks. */
final class ReadingCalls {
  private final Answers answers;
  private final BlockLocations locations;
  private final SafeModeGuard safeMode;
  private final Clock clock;

  ReadingCalls(Answers answers, BlockLocations locations, SafeModeGuard safeMode, Clock clock) {
    this.answers = answers;
    this.locations = locations;
    this.safeMode = safeMode;
    this.clock = clock;
  }

  void register(RpcProtocol.Builder protocol) {
    protocol.asyncMethod(
        "getBlockLocations", GetBlockLocationsRequestProto.class, this::getBlockLocations);
  }

  private CompletableFuture<GetBlockLocationsResponseProto> getBlockLocations(
      RpcCall call, GetBlockLocationsRequestProto request) {
    String path = request.getSrc();
    if (request.getOffset() < 0) {
      throw new HadoopIllegalArgumentException("Negative offset is not supported. File: " + path);
    }
    if (request.getLength() < 0) {
      throw new HadoopIllegalArgumentException("Negative length is not supported. File: " + path);
    }
    return Answers.inHdfsTerms(
            answers
                .namespace()
                .submit(answers.callers().of(call), new GetFile(path, FsAction.READ)))
        .thenCompose(file -> reply(path, locate(call, request, file)));
  }

  private LocatedBlocks locate(
      RpcCall call, GetBlockLocationsRequestProto request, FileInode file) {
    if (!safeMode.safeMode().isOn()) {
      noteAccess(call, file);
    }
    return locations.of(call, file, request.getOffset(), request.getLength());
  }

  /** In safe mode DataNodes may be missing that will be there soon: the reader is told so. */
  private CompletableFuture<GetBlockLocationsResponseProto> reply(
      String path, LocatedBlocks located) {
    if (safeMode.safeMode().isOn()
        && located.getLocatedBlocks().stream().anyMatch(b -> b.getLocations().length == 0)) {
      return CompletableFuture.failedFuture(safeMode.refusal("Zero blocklocations for " + path));
    }
    return CompletableFuture.completedFuture(ReadReplies.locations(located));
  }

  /** Behind the reader's back: he does not wait for it, and a failure is not his. */
  private void noteAccess(RpcCall call, FileInode file) {
    Namespace namespace = answers.namespace();
    if (TouchAccessTime.isDue(file, namespace.settings().accessTimePrecisionMs(), clock.millis())) {
      namespace.submit(answers.callers().of(call), new TouchAccessTime(file.id()));
    }
  }
}
