package io.acaciafs.namenode.audit;

/** What a call {@linkplain io.acaciafs.rpc.protocol.RpcCall#attach attaches}. */
public enum Untold {
  /** The call has done nothing that HDFS writes into its audit log. */
  CALL
}
