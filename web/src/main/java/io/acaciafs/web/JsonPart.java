package io.acaciafs.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** A page of JSON that is made when somebody asks for it. */
public final class JsonPart implements WebPart {
  private final String path;
  private final Function<WebQuery, Answer> source;

  /**
   * What is answered.
   *
   * @param status of HTTP
   * @param body maps, lists, arrays, strings, numbers, booleans
   */
  public record Answer(int status, Map<String, ?> body) {
    /** With status 200. */
    public static Answer ok(Map<String, ?> body) {
      return new Answer(HttpServletResponse.SC_OK, body);
    }
  }

  public JsonPart(String path, Supplier<Answer> source) {
    this(path, query -> source.get());
  }

  /** A page that depends on the query of the request. */
  public JsonPart(String path, Function<WebQuery, Answer> source) {
    this.path = path;
    this.source = source;
  }

  @Override
  public void addTo(WebSite site) {
    site.servlet(path, new Servlet(source));
  }

  private static final class Servlet extends HttpServlet {
    private final transient Function<WebQuery, Answer> source;
    private final transient ObjectMapper mapper = new ObjectMapper();

    /** What was written last: an answer that is given again is not made text again. */
    private transient volatile Written last = new Written(new Answer(0, Map.of()), new byte[0]);

    private record Written(Answer answer, byte[] text) {}

    Servlet(Function<WebQuery, Answer> source) {
      this.source = source;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      Answer answer = source.apply(WebQuery.of(request.getQueryString()));
      response.setStatus(answer.status());
      response.setContentType("application/json; charset=utf-8");
      Written written = last;
      if (written.answer != answer) {
        written = new Written(answer, mapper.writeValueAsBytes(answer.body()));
        last = written;
      }
      response.getOutputStream().write(written.text);
    }
  }
}
