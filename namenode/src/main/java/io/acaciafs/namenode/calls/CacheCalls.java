package io.acaciafs.namenode.calls;

import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.namenode.reply.NotYet;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import org.apache.hadoop.fs.InvalidRequestException;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddCacheDirectiveRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddCacheDirectiveResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddCachePoolRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddCachePoolResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ListCacheDirectivesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ListCacheDirectivesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ListCachePoolsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ListCachePoolsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ModifyCacheDirectiveRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ModifyCacheDirectiveResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ModifyCachePoolRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ModifyCachePoolResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RemoveCacheDirectiveRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RemoveCacheDirectiveResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RemoveCachePoolRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RemoveCachePoolResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;

/**
 * Calls about centralized cache management, answered as by an HDFS without a cache pool. Adding a
 * pool is not supported yet. Source of the texts: CacheManager.
 */
public final class CacheCalls {
  private final Callers callers;

  public CacheCalls(Callers callers) {
    this.callers = callers;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .method(
            "listCachePools",
            ListCachePoolsRequestProto.class,
            (call, request) -> ListCachePoolsResponseProto.newBuilder().setHasMore(false).build())
        .method("addCachePool", AddCachePoolRequestProto.class, this::addPool)
        .method("modifyCachePool", ModifyCachePoolRequestProto.class, this::modifyPool)
        .method("removeCachePool", RemoveCachePoolRequestProto.class, this::removePool)
        .method("listCacheDirectives", ListCacheDirectivesRequestProto.class, this::listDirectives)
        .method("addCacheDirective", AddCacheDirectiveRequestProto.class, this::addDirective)
        .method(
            "modifyCacheDirective", ModifyCacheDirectiveRequestProto.class, this::modifyDirective)
        .method(
            "removeCacheDirective", RemoveCacheDirectiveRequestProto.class, this::removeDirective);
  }

  private AddCachePoolResponseProto addPool(RpcCall call, AddCachePoolRequestProto request)
      throws IOException {
    callers.checkSuperuser(call, call.method());
    CachePoolInfo.validate(PBHelperClient.convert(request.getInfo()));
    throw NotYet.refusal("cache pools");
  }

  private ModifyCachePoolResponseProto modifyPool(RpcCall call, ModifyCachePoolRequestProto request)
      throws IOException {
    callers.checkSuperuser(call, call.method());
    CachePoolInfo pool = PBHelperClient.convert(request.getInfo());
    CachePoolInfo.validate(pool);
    throw new InvalidRequestException("Cache pool " + pool.getPoolName() + " does not exist.");
  }

  private RemoveCachePoolResponseProto removePool(RpcCall call, RemoveCachePoolRequestProto request)
      throws IOException {
    callers.checkSuperuser(call, call.method());
    CachePoolInfo.validateName(request.getPoolName());
    throw new InvalidRequestException(
        "Cannot remove non-existent cache pool " + request.getPoolName());
  }

  private ListCacheDirectivesResponseProto listDirectives(
      RpcCall call, ListCacheDirectivesRequestProto request) throws IOException {
    CacheDirectiveInfo filter = PBHelperClient.convert(request.getFilter());
    if (filter.getPath() != null) {
      String path = filter.getPath().toUri().getPath();
      if (!DFSUtil.isValidName(path)) {
        throw new InvalidRequestException("Invalid path '" + path + "'.");
      }
    }
    if (filter.getReplication() != null) {
      throw new InvalidRequestException("Filtering by replication is unsupported.");
    }
    if (filter.getId() != null) {
      throw new InvalidRequestException("Did not find requested id " + filter.getId());
    }
    return ListCacheDirectivesResponseProto.newBuilder().setHasMore(false).build();
  }

  private AddCacheDirectiveResponseProto addDirective(
      RpcCall call, AddCacheDirectiveRequestProto request) throws IOException {
    String pool = PBHelperClient.convert(request.getInfo()).getPool();
    if (pool == null) {
      throw new InvalidRequestException("No pool specified.");
    }
    throw new InvalidRequestException(
        pool.isEmpty() ? "Invalid empty pool name." : "Unknown pool " + pool);
  }

  private ModifyCacheDirectiveResponseProto modifyDirective(
      RpcCall call, ModifyCacheDirectiveRequestProto request) throws IOException {
    Long id = PBHelperClient.convert(request.getInfo()).getId();
    throw id == null ? new InvalidRequestException("Must supply an ID.") : noDirective(id);
  }

  private RemoveCacheDirectiveResponseProto removeDirective(
      RpcCall call, RemoveCacheDirectiveRequestProto request) throws IOException {
    throw noDirective(request.getId());
  }

  private static InvalidRequestException noDirective(long id) {
    return new InvalidRequestException(
        id <= 0 ? "Invalid negative ID." : "No directive with ID " + id + " found.");
  }
}
