package io.acaciafs.web;

import java.io.IOException;
import java.net.URI;
import java.util.Set;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Keeps pages of other sites from changing anything as the user that a browser knows. A browser
 * says from where a request comes ({@code Sec-Fetch-Site}, {@code Origin}), and pages cannot change
 * that; what other clients send has neither, and passes. Where a site lets pages of other origins
 * in ({@code hadoop.http.cross-origin.enabled}), nothing is kept out here. Safe for use by many
 * threads.
 */
public final class CrossSiteFilter implements Filter {
  private static final String CROSS_ORIGIN = "hadoop.http.cross-origin.enabled";
  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  /** What the browser says of our own pages, and of what the user has typed. */
  private static final Set<String> OWN = Set.of("same-origin", "none");

  private final boolean isOpen;

  public CrossSiteFilter(Configuration conf) {
    isOpen = conf.getBoolean(CROSS_ORIGIN, false);
  }

  @Override
  public void init(FilterConfig config) {
    // nothing to read
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest asked = (HttpServletRequest) request;
    if (isOpen || READING.contains(asked.getMethod()) || isOwn(asked)) {
      chain.doFilter(request, response);
    } else {
      ((HttpServletResponse) response)
          .sendError(HttpServletResponse.SC_FORBIDDEN, "Pages of other sites may change nothing.");
    }
  }

  private static boolean isOwn(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    String origin = request.getHeader("Origin");
    return site != null
        ? OWN.contains(site)
        : origin == null
            || isSame(origin, request.getHeader("Host"))
            || isSame(origin, request.getHeader("X-Forwarded-Host")); // no page may send this
  }

  private static boolean isSame(String origin, @Nullable String host) {
    try {
      return URI.create(origin).getRawAuthority() != null
          && URI.create(origin).getRawAuthority().equalsIgnoreCase(host);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public void destroy() {
    // nothing is kept
  }
}
