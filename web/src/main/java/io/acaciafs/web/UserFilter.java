package io.acaciafs.web;

import java.io.IOException;
import java.util.Map;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.web.AuthFilter;
import org.apache.hadoop.hdfs.web.AuthFilterInitializer;
import org.apache.hadoop.hdfs.web.resources.DoAsParam;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.authorize.ProxyUsers;

/**
 * Hadoop's filter that tells the user of a request, with three differences. It leaves the name for
 * the security log, also where the user may not act for another. Where proxy users were reread, it
 * does not put those of the settings back when it starts. It logs no tokens of addresses. Made by
 * the server, by its class name; used by many threads.
 */
public final class UserFilter extends AuthFilter {

  /** Puts this filter where Hadoop's would be. Made by the server, by its class name. */
  public static final class Initializer extends AuthFilterInitializer {
    @Override
    public void initFilter(FilterContainer container, Configuration conf) {
      Map<String, String> parameters = createFilterConfig(conf);
      container.addFilter("AuthFilter", UserFilter.class.getName(), parameters);
    }
  }

  /**
   * Has a server take this filter.
   *
   * @param conf of the server, which names Hadoop's
   */
  static void use(Configuration conf) {
    conf.set(
        HttpServer2.FILTER_INITIALIZER_PROPERTY,
        conf.get(HttpServer2.FILTER_INITIALIZER_PROPERTY)
            .replace(AuthFilterInitializer.class.getName(), Initializer.class.getName()));
  }

  @Override
  public void init(FilterConfig config) throws ServletException {
    synchronized (ProxyUserRules.class) { // what is reread meanwhile comes after it
      super.init(config);
    }
  }

  @Override
  protected void doFilter(
      FilterChain chain, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    RequestUser.proveByFilter(request, toLowerCase(request).getParameter(DoAsParam.NAME));
    super.doFilter(chain, request, response);
  }

  /** For Hadoop's log of this filter at DEBUG. */
  @Override
  protected String getRequestURL(HttpServletRequest request) {
    return RequestLines.withoutTokens(super.getRequestURL(request));
  }

  @Override
  protected Configuration getProxyuserConfiguration(FilterConfig config) throws ServletException {
    Configuration reread = ProxyUserRules.reread();
    if (reread == null) {
      return super.getProxyuserConfiguration(config);
    }
    Configuration rules = new Configuration(reread);
    reread
        .getPropsWithPrefix(ProxyUsers.CONF_HADOOP_PROXYUSER)
        .forEach((name, value) -> rules.set(PROXYUSER_PREFIX + name, value));
    return rules;
  }
}
