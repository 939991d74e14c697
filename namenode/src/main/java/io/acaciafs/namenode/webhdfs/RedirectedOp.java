package io.acaciafs.namenode.webhdfs;

import java.util.function.Function;
import org.apache.hadoop.hdfs.web.resources.BlockSizeParam;
import org.apache.hadoop.hdfs.web.resources.BufferSizeParam;
import org.apache.hadoop.hdfs.web.resources.CreateFlagParam;
import org.apache.hadoop.hdfs.web.resources.CreateParentParam;
import org.apache.hadoop.hdfs.web.resources.GetOpParam;
import org.apache.hadoop.hdfs.web.resources.HttpOpParam;
import org.apache.hadoop.hdfs.web.resources.LengthParam;
import org.apache.hadoop.hdfs.web.resources.OffsetParam;
import org.apache.hadoop.hdfs.web.resources.OverwriteParam;
import org.apache.hadoop.hdfs.web.resources.Param;
import org.apache.hadoop.hdfs.web.resources.PermissionParam;
import org.apache.hadoop.hdfs.web.resources.PostOpParam;
import org.apache.hadoop.hdfs.web.resources.PutOpParam;
import org.apache.hadoop.hdfs.web.resources.ReplicationParam;
import org.apache.hadoop.hdfs.web.resources.UnmaskedPermissionParam;
import org.jspecify.annotations.Nullable;

/** The operations that a DataNode does, and what it is to be told of the request. */
enum RedirectedOp {
  OPEN(
      GetOpParam.Op.OPEN,
      query ->
          new Param<?, ?>[] {
            query.get(OffsetParam.NAME, OffsetParam.DEFAULT, OffsetParam::new),
            query.get(LengthParam.NAME, LengthParam.DEFAULT, LengthParam::new),
            bufferSize(query)
          }),
  GETFILECHECKSUM(GetOpParam.Op.GETFILECHECKSUM, query -> new Param<?, ?>[0]),
  CREATE(
      PutOpParam.Op.CREATE,
      query ->
          new Param<?, ?>[] {
            query.get(PermissionParam.NAME, PermissionParam.DEFAULT, PermissionParam::new),
            query.get(
                UnmaskedPermissionParam.NAME,
                UnmaskedPermissionParam.DEFAULT,
                UnmaskedPermissionParam::new),
            query.get(OverwriteParam.NAME, OverwriteParam.DEFAULT, OverwriteParam::new),
            bufferSize(query),
            query.get(ReplicationParam.NAME, ReplicationParam.DEFAULT, ReplicationParam::new),
            query.get(BlockSizeParam.NAME, BlockSizeParam.DEFAULT, BlockSizeParam::new),
            query.get(CreateParentParam.NAME, CreateParentParam.DEFAULT, CreateParentParam::new),
            query.get(CreateFlagParam.NAME, CreateFlagParam.DEFAULT, CreateFlagParam::new)
          }),
  APPEND(PostOpParam.Op.APPEND, query -> new Param<?, ?>[] {bufferSize(query)});

  private final HttpOpParam.Op op;
  private final Function<QueryParams, Param<?, ?>[]> params;

  RedirectedOp(HttpOpParam.Op op, Function<QueryParams, Param<?, ?>[]> params) {
    this.op = op;
    this.params = params;
  }

  /** Null where this is an operation that the NameNode does itself, or none. */
  static @Nullable RedirectedOp of(String httpMethod, String name) {
    for (RedirectedOp redirected : values()) {
      if (redirected.name().equalsIgnoreCase(name)
          && redirected.op.getType().name().equals(httpMethod)) {
        return redirected;
      }
    }
    return null;
  }

  /** Whether it is about bytes that are there. */
  boolean reads() {
    return this != CREATE;
  }

  /** As the query says it: {@code op=OPEN}. */
  String toQueryString() {
    return op.toQueryString();
  }

  /**
   * What goes on to the DataNode.
   *
   * @throws org.glassfish.jersey.server.ParamException where the client has sent what is no value
   */
  Param<?, ?>[] params(QueryParams query) {
    return params.apply(query);
  }

  private static BufferSizeParam bufferSize(QueryParams query) {
    return query.get(BufferSizeParam.NAME, BufferSizeParam.DEFAULT, BufferSizeParam::new);
  }
}
