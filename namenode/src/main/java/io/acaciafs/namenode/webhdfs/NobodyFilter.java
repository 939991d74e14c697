package io.acaciafs.namenode.webhdfs;

import java.io.IOException;
import java.security.Principal;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

/**
 * For where users have to prove who they are and cannot by HTTP: whoever an earlier filter says has
 * sent a request, nobody is believed. A delegation token is what is left, and Hadoop's classes
 * refuse all else.
 */
public final class NobodyFilter implements Filter {

  private static final class OfNobody extends HttpServletRequestWrapper {
    OfNobody(HttpServletRequest request) {
      super(request);
    }

    @Override
    public @Nullable String getRemoteUser() {
      return null;
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
      return null;
    }
  }

  @Override
  public void init(FilterConfig config) {
    // nothing to prepare
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    chain.doFilter(new OfNobody((HttpServletRequest) request), response);
  }

  @Override
  public void destroy() {
    // nothing is open
  }
}
