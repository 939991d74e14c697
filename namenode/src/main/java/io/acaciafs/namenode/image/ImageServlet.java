package io.acaciafs.namenode.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.common.Util;
import org.apache.hadoop.hdfs.util.MD5FileUtils;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers {@code /imagetransfer?getimage=1&txid=latest}, which {@code hdfs dfsadmin -fetchImage}
 * asks, with an image made for the request. Makes one at a time, on the request's thread. Without
 * security any user may ask, as in HDFS.
 *
 * <p>Source of parameters and headers: HDFS's {@code ImageServlet} and {@code TransferFsImage}.
 */
public final class ImageServlet extends HttpServlet {
  public static final String PATH = org.apache.hadoop.hdfs.server.namenode.ImageServlet.PATH_SPEC;

  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(ImageServlet.class);
  private static final String LATEST = "latest";

  private final transient Optional<ImageMaker> maker;
  private final String otherwise;
  private final transient Configuration conf;
  private final transient Semaphore one = new Semaphore(1);

  /**
   * @param maker empty where images cannot be made of the store
   * @param otherwise what to answer then
   * @param conf names the NameNodes, which may ask
   */
  public ImageServlet(Optional<ImageMaker> maker, String otherwise, Configuration conf) {
    this.maker = maker;
    this.otherwise = otherwise;
    this.conf = conf;
  }

  @Override
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String refusal = refusal(request);
    if (refusal != null) {
      LOG.warn(
          "Received non-NN/SNN/administrator request for image or edits from {} at {}",
          request.getUserPrincipal(),
          request.getRemoteHost());
      response.sendError(HttpServletResponse.SC_FORBIDDEN, refusal);
    } else if (request.getParameter("getimage") == null
        || !LATEST.equals(request.getParameter("txid"))) {
      response.sendError(
          HttpServletResponse.SC_BAD_REQUEST,
          "Only the latest image can be fetched, by getimage=1&txid=latest: there are no edits");
    } else if (maker.isEmpty()) {
      response.sendError(HttpServletResponse.SC_NOT_IMPLEMENTED, otherwise);
    } else if (!one.tryAcquire()) {
      response.setHeader("Retry-After", "10");
      response.sendError(
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          "Another image is being made, try again later");
    } else {
      try {
        send(maker.get(), response);
      } finally {
        one.release();
      }
    }
  }

  /** Why the user must not have the image; null where it may. */
  private @Nullable String refusal(HttpServletRequest request) {
    if (!UserGroupInformation.isSecurityEnabled()) {
      return null;
    }
    Principal principal = request.getUserPrincipal();
    if (principal == null) {
      return "Security enabled but user not authenticated by filter";
    }
    ServletContext context = getServletContext();
    return new ImageRequestors(conf, name -> HttpServer2.userHasAdministratorAccess(context, name))
            .test(principal.getName())
        ? null
        : "Only Namenode, Secondary Namenode, and administrators may access this servlet";
  }

  private static void send(ImageMaker maker, HttpServletResponse response) throws IOException {
    long startNs = System.nanoTime();
    try {
      Path image = maker.make();
      response.setContentType("application/octet-stream");
      response.setContentLengthLong(Files.size(image));
      response.setHeader(
          org.apache.hadoop.hdfs.server.namenode.ImageServlet.HADOOP_IMAGE_EDITS_HEADER,
          image.getFileName().toString());
      response.setHeader(
          Util.MD5_HEADER, MD5FileUtils.readStoredMd5ForFile(image.toFile()).toString());
      Files.copy(image, response.getOutputStream());
      LOG.info(
          "Image fetched bytes={} ms={}",
          Files.size(image),
          (System.nanoTime() - startNs) / 1_000_000);
    } finally {
      maker.remove();
    }
  }
}
