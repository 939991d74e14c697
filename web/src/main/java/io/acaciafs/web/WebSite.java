package io.acaciafs.web;

import java.util.EnumSet;
import java.util.Map;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;
import javax.servlet.http.HttpServlet;
import org.eclipse.jetty.servlet.FilterHolder;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/**
 * Where the parts of a server put what they serve. Not thread-safe: used while the server starts.
 *
 * <p>Hadoop's filters stand before everything. One tells who the user is: {@code
 * request.getRemoteUser()} is without security the {@code user.name} of the query, or null, which
 * stands for {@code hadoop.http.staticuser.user}; with security on the user that has proved it, or
 * null where none has (Hadoop's {@code JspHelper.getUGI} knows). One quotes HTML in what {@code
 * request.getParameter} returns: a servlet that wants parameters as they were sent takes them from
 * {@code getQueryString()}.
 */
public final class WebSite {
  private final ServletContextHandler context;

  WebSite(ServletContextHandler context) {
    this.context = context;
  }

  /**
   * Serves all that matches.
   *
   * @param path a servlet's: {@code /name} or {@code /name/*}
   * @param servlet used by many threads at once
   */
  public WebSite servlet(String path, HttpServlet servlet) {
    context.addServlet(new ServletHolder(servlet), path);
    return this;
  }

  /** Puts a filter before the servlets whose path matches, behind those of Hadoop. */
  public WebSite filter(String path, Filter filter) {
    return filter(path, filter, Map.of());
  }

  /** A filter that wants parameters. */
  public WebSite filter(String path, Filter filter, Map<String, String> parameters) {
    FilterHolder holder = new FilterHolder(filter);
    holder.setInitParameters(parameters);
    context.addFilter(holder, path, EnumSet.allOf(DispatcherType.class));
    return this;
  }

  /** For servlets of Hadoop's, which find there what they need. */
  public WebSite attribute(String name, Object value) {
    context.getServletContext().setAttribute(name, value);
    return this;
  }
}
