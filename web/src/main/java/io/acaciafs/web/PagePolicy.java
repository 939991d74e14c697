package io.acaciafs.web;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.http.HttpServer2.XFrameOption;

/**
 * What browsers let the pages do: scripts, styles and data from the NameNode alone, nothing inside
 * a page, frames as dfs.xframe.enabled and dfs.xframe.value say. Stateless.
 */
final class PagePolicy {
  private static final String HEADER = "hadoop.http.header.Content-Security-Policy";

  private PagePolicy() {}

  /** Hadoop's server sends the header of that setting with every answer; a site's own stays. */
  static void set(Configuration conf) {
    if (conf.get(HEADER) == null) {
      conf.set(
          HEADER,
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; form-action 'self'; base-uri 'none'"
              + frames(conf));
    }
  }

  private static String frames(Configuration conf) {
    boolean isEnabled =
        conf.getBoolean(
            DFSConfigKeys.DFS_XFRAME_OPTION_ENABLED,
            DFSConfigKeys.DFS_XFRAME_OPTION_ENABLED_DEFAULT);
    String value =
        conf.getTrimmed(
            DFSConfigKeys.DFS_XFRAME_OPTION_VALUE, DFSConfigKeys.DFS_XFRAME_OPTION_VALUE_DEFAULT);
    if (!isEnabled || value.equals(XFrameOption.ALLOWFROM.toString())) {
      return "";
    }
    return "; frame-ancestors "
        + (value.equals(XFrameOption.DENY.toString()) ? "'none'" : "'self'");
  }
}
