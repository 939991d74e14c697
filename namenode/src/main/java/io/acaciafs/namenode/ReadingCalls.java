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
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;

/** What a client that reads a file asks. */
final class ReadingCalls {
  private final Answers answers;
  private final BlockLocations locations;
  private final Clock clock;

  ReadingCalls(Answers answers, BlockLocations locations, Clock clock) {
    this.answers = answers;
    this.locations = locations;
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
    return answers.of(
        call,
        new GetFile(path, FsAction.READ),
        file -> {
          noteAccess(call, file);
          return GetBlockLocationsResponseProto.newBuilder()
              .setLocations(
                  PBHelperClient.convert(
                      locations.of(call, file, request.getOffset(), request.getLength())))
              .build();
        });
  }

  /** Behind the reader's back: he does not wait for it, and a failure is not his. */
  private void noteAccess(RpcCall call, FileInode file) {
    Namespace namespace = answers.namespace();
    if (TouchAccessTime.isDue(file, namespace.settings().accessTimePrecisionMs(), clock.millis())) {
      namespace.submit(answers.callers().of(call), new TouchAccessTime(file.id()));
    }
  }
}
