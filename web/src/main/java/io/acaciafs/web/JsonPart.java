package io.acaciafs.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** A page of JSON that is made when somebody asks for it. */
public final class JsonPart implements WebPart {
  private final String path;
  private final Function<WebQuery, Answer> source;

  /** What is answered. It is made text once, however often it is given. For many threads. */
  public static final class Answer {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final int status;
    private final Map<String, ?> body;
    private volatile byte @Nullable [] text;

    /**
     * @param status of HTTP
     * @param body maps, lists, arrays, strings, numbers, booleans; does not change
     */
    public Answer(int status, Map<String, ?> body) {
      this.status = status;
      this.body = body;
    }

    /** With status 200. */
    public static Answer ok(Map<String, ?> body) {
      return new Answer(HttpServletResponse.SC_OK, body);
    }

    public int status() {
      return status;
    }

    public Map<String, ?> body() {
      return body;
    }

    byte[] text() throws JsonProcessingException {
      byte[] known = text;
      if (known == null) {
        known = JSON.writeValueAsBytes(body);
        text = known;
      }
      return known;
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

    Servlet(Function<WebQuery, Answer> source) {
      this.source = source;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      Answer answer = source.apply(WebQuery.of(request.getQueryString()));
      response.setStatus(answer.status());
      response.setContentType("application/json; charset=utf-8");
      byte[] text = answer.text();
      response.setContentLength(text.length);
      response.getOutputStream().write(text);
    }
  }
}
