package io.acaciafs.web;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.util.StringUtils;

/**
 * Keeps some pages for administrators: those of the list that the server was made with. Stands
 * behind the filter that tells who the user is, in every context of the server. Made by the server,
 * by its class name; used by many threads.
 */
public final class AdministratorFilter implements Filter {
  /** A parameter: paths with commas between them, each of which stands for those below it too. */
  static final String PATHS = "paths";

  /** What browsers say when a page of another site makes them ask, as the user that they know. */
  private static final String CROSS_SITE = "cross-site";

  private Collection<String> paths = List.of();

  /** Called by the server before the first request. */
  @Override
  public void init(FilterConfig config) {
    paths = StringUtils.getTrimmedStringCollection(config.getInitParameter(PATHS));
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest asked = (HttpServletRequest) request;
    String path = asked.getContextPath() + asked.getServletPath(); // as servlets are found by
    String user = asked.getRemoteUser();
    if (paths.stream().noneMatch(closed -> isBelow(path, closed))) {
      chain.doFilter(request, response);
    } else if (!isAdministrator(asked.getServletContext(), user)) {
      refuse(
          response,
          user == null
              ? "Unauthenticated users are not authorized to access this page."
              : "User " + user + " is unauthorized to access the page " + path + ".");
    } else if (CROSS_SITE.equals(asked.getHeader("Sec-Fetch-Site"))) {
      refuse(response, "Pages of other sites may not ask for this page.");
    } else {
      chain.doFilter(request, response);
    }
  }

  private static void refuse(ServletResponse response, String why) throws IOException {
    ((HttpServletResponse) response).sendError(HttpServletResponse.SC_FORBIDDEN, why);
  }

  private static boolean isBelow(String path, String closed) {
    return path.equals(closed) || path.startsWith(closed + "/");
  }

  private static boolean isAdministrator(ServletContext context, String user) {
    return user != null && HttpServer2.userHasAdministratorAccess(context, user);
  }

  @Override
  public void destroy() {
    // nothing is kept
  }
}
