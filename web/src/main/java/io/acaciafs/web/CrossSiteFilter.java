package io.acaciafs.web;

import java.io.IOException;
import java.net.URI;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
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
 * that; what other clients send has neither, and passes. Over plain HTTP a browser says neither of
 * a GET: one that changes something has to come from our own pages by its {@code Referer}. Where a
 * site lets pages of other origins in ({@code hadoop.http.cross-origin.enabled}), nothing is kept
 * out here. Safe for use by many threads.
 */
public final class CrossSiteFilter implements Filter {
  private static final String CROSS_ORIGIN = "hadoop.http.cross-origin.enabled";
  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  /** What the browser says of our own pages, and of what the user has typed. */
  private static final Set<String> OWN = Set.of("same-origin", "none");

  /** Those of Hadoop's RestCsrfPreventionFilter. */
  private static final Pattern BROWSER = Pattern.compile("(Mozilla|Opera).*", Pattern.DOTALL);

  private final boolean isOpen;
  private final Predicate<HttpServletRequest> changes;

  /** For paths at which the method says whether a request changes something. */
  public CrossSiteFilter(Configuration conf) {
    this(conf, request -> !isReading(request));
  }

  /**
   * For other paths.
   *
   * @param changes tells whether a request changes something
   */
  public CrossSiteFilter(Configuration conf, Predicate<HttpServletRequest> changes) {
    isOpen = conf.getBoolean(CROSS_ORIGIN, false);
    this.changes = changes;
  }

  @Override
  public void init(FilterConfig config) {
    // nothing to read
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest asked = (HttpServletRequest) request;
    if (isOpen || !changes.test(asked) || isOwn(asked)) {
      chain.doFilter(request, response);
    } else {
      ((HttpServletResponse) response)
          .sendError(HttpServletResponse.SC_FORBIDDEN, "Pages of other sites may change nothing.");
    }
  }

  private static boolean isReading(HttpServletRequest request) {
    return READING.contains(request.getMethod());
  }

  private static boolean isOwn(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    String origin = request.getHeader("Origin");
    if (site != null) {
      return OWN.contains(site);
    }
    if (origin == null && isReading(request) && isBrowser(request)) {
      String referer = request.getHeader("Referer");
      return referer != null && isOf(request, referer);
    }
    return origin == null || isOf(request, origin);
  }

  private static boolean isBrowser(HttpServletRequest request) {
    String agent = request.getHeader("User-Agent");
    return agent != null && BROWSER.matcher(agent).matches();
  }

  private static boolean isOf(HttpServletRequest request, String origin) {
    return isSame(origin, request.getHeader("Host"))
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
