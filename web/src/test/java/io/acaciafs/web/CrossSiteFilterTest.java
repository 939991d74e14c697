package io.acaciafs.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;

/** What browsers send for pages of other sites changes nothing; all else passes. */
class CrossSiteFilterTest {
  private static final String BROWSER = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101";

  private final Configuration conf = new HdfsConfiguration();

  CrossSiteFilterTest() {
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
  }

  private static final class Anything extends HttpServlet {
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(HttpServletResponse.SC_OK);
    }
  }

  private static int send(WebServer server, String method, String... headers) throws Exception {
    return send(server, method, "/files/x", headers);
  }

  private static int send(WebServer server, String method, String path, String[] headers)
      throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody());
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.discarding()).statusCode();
  }

  private WebServer start() throws Exception {
    WebServer server = WebServer.bind(conf);
    server.start(
        List.of(
            site ->
                site.servlet("/files/*", new Anything())
                    .filter("/files/*", new CrossSiteFilter(conf))
                    .servlet("/changes", new Anything())
                    .filter(
                        "/changes",
                        new CrossSiteFilter(
                            conf, request -> request.getParameter("delete") != null))));
    return server;
  }

  @Test
  void whatChangesSomethingComesFromOurPagesOrFromNoBrowser() throws Exception {
    try (WebServer server = start()) {
      String own = "http://127.0.0.1:" + server.address().getPort();
      for (String method : List.of("PUT", "POST", "DELETE")) {
        assertThat(send(server, method)).isEqualTo(200);
        assertThat(send(server, method, "Sec-Fetch-Site", "same-origin")).isEqualTo(200);
        assertThat(send(server, method, "Sec-Fetch-Site", "none")).isEqualTo(200);
        assertThat(send(server, method, "Origin", own)).isEqualTo(200);
        assertThat(
                send(
                    server,
                    method,
                    "Origin",
                    "http://proxy.example.com",
                    "X-Forwarded-Host",
                    "proxy.example.com"))
            .isEqualTo(200);
        assertThat(send(server, method, "Sec-Fetch-Site", "cross-site")).isEqualTo(403);
        assertThat(send(server, method, "Sec-Fetch-Site", "same-site")).isEqualTo(403);
        assertThat(send(server, method, "Sec-Fetch-Site", "cross-site", "Origin", own))
            .isEqualTo(403);
        assertThat(send(server, method, "Origin", "http://127.0.0.1:1")).isEqualTo(403);
        assertThat(send(server, method, "Origin", "null")).isEqualTo(403);
        assertThat(send(server, method, "Origin", "no address at all")).isEqualTo(403);
      }
      assertThat(send(server, "GET", "Sec-Fetch-Site", "cross-site")).isEqualTo(200);
    }
  }

  private static int get(WebServer server, String path, String... headers) throws Exception {
    return send(server, "GET", path, headers);
  }

  @Test
  void getThatChangesSomethingComesFromOurPagesOrFromNoBrowser() throws Exception {
    try (WebServer server = start()) {
      String own = "http://127.0.0.1:" + server.address().getPort() + "/logLevel";
      String log = "/logLevel?log=io.acaciafs.no.such";
      for (String path : List.of("/changes?delete", log + "&level=INFO")) {
        assertThat(get(server, path)).isEqualTo(200);
        assertThat(get(server, path, "User-Agent", "Java/17.0.2")).isEqualTo(200);
        assertThat(get(server, path, "Sec-Fetch-Site", "same-origin")).isEqualTo(200);
        assertThat(get(server, path, "Sec-Fetch-Site", "none")).isEqualTo(200);
        assertThat(get(server, path, "User-Agent", BROWSER, "Referer", own)).isEqualTo(200);
        assertThat(get(server, path, "Sec-Fetch-Site", "cross-site")).isEqualTo(403);
        assertThat(get(server, path, "Sec-Fetch-Site", "same-site")).isEqualTo(403);
        assertThat(get(server, path, "User-Agent", BROWSER)).isEqualTo(403);
        assertThat(get(server, path, "User-Agent", BROWSER, "Referer", "http://a.example.com/x"))
            .isEqualTo(403);
        assertThat(get(server, path, "Origin", "http://a.example.com")).isEqualTo(403);
      }
      for (String path : List.of("/changes", log)) {
        assertThat(get(server, path, "Sec-Fetch-Site", "cross-site")).isEqualTo(200);
        assertThat(get(server, path, "User-Agent", BROWSER)).isEqualTo(200);
      }
    }
  }

  @Test
  void aSiteThatLetsOtherOriginsInDecidesItself() throws Exception {
    conf.setBoolean("hadoop.http.cross-origin.enabled", true);
    try (WebServer server = start()) {
      assertThat(send(server, "PUT", "Sec-Fetch-Site", "cross-site")).isEqualTo(200);
    }
  }
}
