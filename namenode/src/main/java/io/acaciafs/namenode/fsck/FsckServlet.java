package io.acaciafs.namenode.fsck;

import io.acaciafs.namenode.audit.Access;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Semaphore;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Answers {@code /fsck}, which Hadoop's {@code DFSck} asks. The report is streamed; a check runs on
 * the request's thread. Safe for use by many threads.
 */
public final class FsckServlet extends HttpServlet {
  /** Where {@code DFSck} looks for it. */
  public static final String PATH = "/fsck";

  private static final long serialVersionUID = 1;

  /** So many leave threads to other requests. */
  private static final int MOST_CHECKS = 8;

  private final transient FsckServices services;
  private final transient Semaphore checks = new Semaphore(MOST_CHECKS);

  public FsckServlet(FsckServices services) {
    this.services = services;
  }

  /**
   * Whether a request asks for more than a report, so that pages of other sites may not send it.
   */
  public static boolean changes(HttpServletRequest request) {
    return FsckOptions.of(request.getQueryString()).changes();
  }

  @Override
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    UserGroupInformation user = services.users().ofOrRefuse(request, response);
    if (user == null) {
      return;
    }
    FsckOptions options = FsckOptions.of(request.getQueryString());
    InetAddress client = InetAddress.getByName(request.getRemoteAddr());
    try (PrintWriter out = response.getWriter()) {
      if (!checks.tryAcquire()) {
        out.println("Too many checks are under way, try again later");
        out.print("\n\nFsck on path '" + options.path() + "' FAILED");
        return;
      }
      try {
        new Fsck(
                services,
                options,
                user,
                new InetSocketAddress(client, request.getRemotePort()),
                out)
            .run();
        FsckAudit.add(
            services.audit(),
            user,
            new InetSocketAddress(client, request.getRemotePort()),
            new Access(true, "fsck", options.auditSource(), null));
      } finally {
        checks.release();
      }
    }
  }
}
