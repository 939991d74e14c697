package io.acaciafs.namenode.ha;

import io.acaciafs.namenode.reply.StandbyTexts;
import io.acaciafs.web.RequestUser;
import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hdfs.web.JsonUtil;

/**
 * WebHDFS while another NameNode leads: refuses, so that a client that knows several NameNodes asks
 * the next one.
 */
public final class StandbyServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    RequestUser.audit(request); // the NameNode that leads says what the user may do
    String category = request.getMethod().equals("GET") ? "READ" : "WRITE";
    response.setStatus(HttpServletResponse.SC_FORBIDDEN);
    response.setContentType("application/json; charset=utf-8");
    response.getWriter().write(JsonUtil.toJsonString(StandbyTexts.refusal(category)));
  }
}
