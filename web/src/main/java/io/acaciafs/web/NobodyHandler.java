package io.acaciafs.web;

import java.util.Properties;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.security.authentication.server.AuthenticationHandler;
import org.apache.hadoop.security.authentication.server.AuthenticationToken;

/**
 * Lets everybody in and knows nobody: for a NameNode with Kerberos that has no principal for HTTP.
 * Whatever acts for a user then answers that none is known, whomever a request names. Stateless;
 * made by Hadoop's {@code AuthenticationFilter}, by its class name.
 */
public final class NobodyHandler implements AuthenticationHandler {

  @Override
  public String getType() {
    return "nobody";
  }

  @Override
  public void init(Properties config) {
    // nothing to know
  }

  @Override
  public void destroy() {
    // nothing is kept
  }

  @Override
  public boolean managementOperation(
      AuthenticationToken token, HttpServletRequest request, HttpServletResponse response) {
    return true; // it is none, so the request goes on
  }

  @Override
  public AuthenticationToken authenticate(
      HttpServletRequest request, HttpServletResponse response) {
    return AuthenticationToken.ANONYMOUS;
  }
}
