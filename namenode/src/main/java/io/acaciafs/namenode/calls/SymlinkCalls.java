package io.acaciafs.namenode.calls;

import io.acaciafs.namenode.encode.StatusMessages;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namespace.op.directory.CreateSymlink;
import io.acaciafs.namespace.op.directory.GetFileInfo;
import io.acaciafs.namespace.op.directory.GetLinkTarget;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSymlinkRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSymlinkResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileLinkInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileLinkInfoResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;

/**
 * The calls about symbolic links. Links that are there work always; new ones are made only where
 * acacia.symlinks.enabled says so.
 */
public final class SymlinkCalls {
  private final Answers answers;
  private final boolean enabled;

  public SymlinkCalls(Answers answers, boolean enabled) {
    this.answers = answers;
    this.enabled = enabled;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .asyncMethod("createSymlink", CreateSymlinkRequestProto.class, this::createSymlink)
        .asyncMethod("getLinkTarget", GetLinkTargetRequestProto.class, this::getLinkTarget)
        .asyncMethod("getFileLinkInfo", GetFileLinkInfoRequestProto.class, this::getFileLinkInfo);
  }

  private CompletableFuture<CreateSymlinkResponseProto> createSymlink(
      RpcCall call, CreateSymlinkRequestProto request) throws IOException {
    checkLength(request.getLink());
    if (!enabled) {
      throw notSupported();
    }
    return answers.done(
        call,
        new CreateSymlink(
            request.getTarget(),
            request.getLink(),
            PBHelperClient.convert(request.getDirPerm()),
            request.getCreateParent()),
        CreateSymlinkResponseProto.getDefaultInstance());
  }

  static UnsupportedOperationException notSupported() {
    return new UnsupportedOperationException("Symlinks not supported");
  }

  private static void checkLength(String link) throws IOException {
    if (link.length() > HdfsServerConstants.MAX_PATH_LENGTH
        || new Path(link).depth() > HdfsServerConstants.MAX_PATH_DEPTH) {
      throw new IOException(
          "Symlink path exceeds " + HdfsServerConstants.MAX_PATH_LENGTH + " character limit");
    }
  }

  private CompletableFuture<GetLinkTargetResponseProto> getLinkTarget(
      RpcCall call, GetLinkTargetRequestProto request) {
    return answers.of(
        call,
        new GetLinkTarget(request.getPath()),
        target -> GetLinkTargetResponseProto.newBuilder().setTargetPath(target).build());
  }

  private CompletableFuture<GetFileLinkInfoResponseProto> getFileLinkInfo(
      RpcCall call, GetFileLinkInfoRequestProto request) {
    return answers.of(
        call,
        new GetFileInfo(request.getSrc(), PathUse.READ_LINK),
        status -> {
          GetFileLinkInfoResponseProto.Builder reply = GetFileLinkInfoResponseProto.newBuilder();
          if (status != null) {
            reply.setFs(StatusMessages.of(status));
          }
          return reply.build();
        });
  }
}
