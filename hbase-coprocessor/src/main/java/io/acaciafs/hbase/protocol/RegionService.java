package io.acaciafs.hbase.protocol;

/** Names of the coprocessor's service in HBase's RPC. */
public final class RegionService {
  /** The class that a table names to have it. */
  public static final String CLASS = "io.acaciafs.hbase.coprocessor.RegionEndpoint";

  /** Full name of the service. */
  public static final String NAME = "acacia.RegionService";

  /** A {@link CommitRequest}, answered by a {@link CommitReply}. */
  public static final String COMMIT = "Commit";

  /** A {@link ReadRequest}, answered by a {@link ReadReply}. */
  public static final String READ = "Read";

  /** The one field of requests and replies in HBase's RPC, of type bytes. */
  public static final int MESSAGE_FIELD = 1;

  private RegionService() {}
}
