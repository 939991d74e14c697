package io.acaciafs.namenode.webhdfs;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.web.WebQuery;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/**
 * The script by which the pages speak to one DataNode. Pages may ask the NameNode alone; the policy
 * that comes with this script lets it ask the DataNode of the query, and nothing else. Safe for use
 * by many threads.
 */
public final class TransferServlet extends HttpServlet {
  public static final String PATH = "/api/transfer.js";

  private static final long serialVersionUID = 1;
  private static final String SCRIPT = "/webapps/namenode/transferworker.js";

  private final transient BlockManager blocks;

  public TransferServlet(BlockManager blocks) {
    this.blocks = blocks;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean isTls = request.isSecure();
    String wanted = WebQuery.of(request.getQueryString()).text("node");
    if (!isDatanode(wanted, isTls)) {
      response.sendError(HttpServletResponse.SC_NOT_FOUND, "There is no such DataNode.");
      return;
    }
    response.setHeader(
        "Content-Security-Policy",
        "default-src 'none'; connect-src " + (isTls ? "https://" : "http://") + wanted);
    response.setContentType("text/javascript; charset=utf-8");
    try (InputStream script = TransferServlet.class.getResourceAsStream(SCRIPT)) {
      Objects.requireNonNull(script).transferTo(response.getOutputStream());
    }
  }

  /** By the address that {@link DataRedirects} sends clients to. */
  private boolean isDatanode(String address, boolean isTls) {
    return Arrays.stream(blocks.datanodeReport(DatanodeReportType.LIVE))
        .map(
            node ->
                node.getHostName() + ":" + (isTls ? node.getInfoSecurePort() : node.getInfoPort()))
        .anyMatch(address::equals);
  }
}
