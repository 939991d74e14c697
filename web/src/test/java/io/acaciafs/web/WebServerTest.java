package io.acaciafs.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;

/** The server serves what its parts bring, beside what Hadoop's server brings, until it closes. */
class WebServerTest {
  private final Configuration conf = configuration();
  private final HttpClient client = HttpClient.newHttpClient();

  private static Configuration configuration() {
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    return conf;
  }

  private HttpResponse<String> get(WebServer server, String path) throws Exception {
    InetSocketAddress address = server.address();
    URI uri = URI.create("http://127.0.0.1:" + address.getPort() + path);
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Says who asks, and what. */
  private static final class Echo extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().print(request.getRemoteUser() + " asks " + request.getQueryString());
    }
  }

  @Test
  void whoConnectsBeforeTheStartIsAnsweredAfterIt() throws Exception {
    try (WebServer server = WebServer.bind(conf)) {
      var early =
          client.sendAsync(
              HttpRequest.newBuilder(
                      URI.create("http://127.0.0.1:" + server.address().getPort() + "/conf"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(early).isNotDone();

      server.start(List.of());

      assertThat(early.get().body()).contains("dfs.namenode.http-address");
    }
  }

  @Test
  void servesPartsToTheUserWhoAsks() throws Exception {
    try (WebServer server = WebServer.bind(conf)) {
      server.start(List.of(site -> site.servlet("/echo/*", new Echo())));

      assertThat(get(server, "/echo/x?a=%3Cb%3E").body()).isEqualTo("null asks a=%3Cb%3E");
      assertThat(get(server, "/echo/x?user.name=alice").body()).startsWith("alice asks");
      assertThat(get(server, "/nothing").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void servesWhatHadoopBringsAndThePages() throws Exception {
    try (WebServer server = WebServer.bind(conf)) {
      server.start(List.of());

      assertThat(get(server, "/jmx?qry=java.lang:type=Runtime").body()).contains("VmName");
      assertThat(get(server, "/stacks").body()).contains("web-");
      assertThat(get(server, "/").headers().firstValue("Location").orElseThrow())
          .endsWith("/index.html");
      assertThat(get(server, "/index.html").body()).contains("<h1>NameNode</h1>");
      assertThat(get(server, "/index.html").headers().firstValue("X-FRAME-OPTIONS"))
          .contains("SAMEORIGIN");
    }
  }

  @Test
  void anAddressThatIsTakenIsNamed() throws Exception {
    try (WebServer server = WebServer.bind(conf)) {
      String address = "localhost:" + server.address().getPort();
      conf.set("dfs.namenode.http-address", address);

      assertThatThrownBy(() -> WebServer.bind(conf))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Cannot listen at " + address)
          .hasMessageContaining("dfs.namenode.http-address");
    }
  }

  @Test
  void theBindHostTakesThePlaceOfTheAddress() throws Exception {
    conf.set("dfs.namenode.http-address", "name.invalid:0");
    conf.set("dfs.namenode.http-bind-host", "127.0.0.1");

    try (WebServer server = WebServer.bind(conf)) {
      assertThat(server.address().getAddress().isLoopbackAddress()).isTrue();
    }
  }

  @Test
  void afterTheCloseNothingIsLeft() throws Exception {
    WebServer server = WebServer.bind(conf);
    server.start(List.of());
    server.started().get();
    server.close();
    server.close();

    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().startsWith("web-"));
    conf.set("dfs.namenode.http-address", "127.0.0.1:" + server.address().getPort());
    WebServer.bind(conf).close();
  }
}
