package io.acaciafs.namenode;

import io.acaciafs.web.WebPart;
import org.apache.hadoop.http.IsActiveServlet;

/** What this NameNode serves by HTTP. */
final class WebParts {
  private WebParts() {}

  static WebPart active() {
    return site -> site.servlet("/isActive", new Active());
  }

  /** For load balancers: every NameNode here is active. */
  private static final class Active extends IsActiveServlet {
    @Override
    protected boolean isActive() {
      return true;
    }
  }
}
