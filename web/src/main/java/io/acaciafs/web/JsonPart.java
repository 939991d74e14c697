package io.acaciafs.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** A page of JSON that is made when somebody asks for it. */
public final class JsonPart implements WebPart {
  private final String path;
  private final Supplier<Answer> source;

  /**
   * What is answered.
   *
   * @param status of HTTP
   * @param body maps, lists, strings, numbers, booleans
   */
  public record Answer(int status, Map<String, ?> body) {}

  public JsonPart(String path, Supplier<Answer> source) {
    this.path = path;
    this.source = source;
  }

  @Override
  public void addTo(WebSite site) {
    site.servlet(path, new Servlet(source));
  }

  private static final class Servlet extends HttpServlet {
    private final transient Supplier<Answer> source;
    private final transient ObjectMapper mapper = new ObjectMapper();

    Servlet(Supplier<Answer> source) {
      this.source = source;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      Answer answer = source.get();
      response.setStatus(answer.status());
      response.setContentType("application/json; charset=utf-8");
      mapper.writeValue(response.getOutputStream(), answer.body());
    }
  }
}
