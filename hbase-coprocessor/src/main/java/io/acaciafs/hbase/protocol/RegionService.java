package io.acaciafs.hbase.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

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

  /** Any message, answered by the version of the coprocessor in UTF-8. */
  public static final String VERSION = "Version";

  /** The one field of requests and replies in HBase's RPC, of type bytes. */
  public static final int MESSAGE_FIELD = 1;

  private RegionService() {}

  /** Of this jar, such as 1.2.0. */
  public static String version() {
    Properties properties = new Properties();
    try (InputStream in = RegionService.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }
}
