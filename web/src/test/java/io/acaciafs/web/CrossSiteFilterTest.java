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
    URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + "/files/x");
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
                    .filter("/files/*", new CrossSiteFilter(conf))));
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

  @Test
  void aSiteThatLetsOtherOriginsInDecidesItself() throws Exception {
    conf.setBoolean("hadoop.http.cross-origin.enabled", true);
    try (WebServer server = start()) {
      assertThat(send(server, "PUT", "Sec-Fetch-Site", "cross-site")).isEqualTo(200);
    }
  }
}
