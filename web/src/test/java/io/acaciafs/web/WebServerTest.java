package io.acaciafs.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;

/** The server serves what its parts bring, beside what Hadoop's server brings, until it closes. */
class WebServerTest {
  private static final long LONGEST_END_MS = 10_000;

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

  /** Takes long to end. */
  private static final class Slow extends HttpServlet {
    private final transient CountDownLatch ending = new CountDownLatch(1);
    private final transient CountDownLatch mayEnd = new CountDownLatch(1);

    @Override
    public void destroy() {
      ending.countDown();
      try {
        assertThat(mayEnd.await(30, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getOutputStream().println("here");
    }
  }

  private static String ask(Socket connection, BufferedReader answers, String path)
      throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    connection.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return answers.readLine();
  }

  @Test
  void whoAsksWhileItEndsIsToldSo() throws Exception {
    Slow slow = new Slow();
    WebServer server = WebServer.bind(conf);
    server.start(List.of(site -> site.servlet("/health", slow)));
    Thread end = new Thread(server::close, "web-end");
    try (Socket connection = new Socket(server.address().getAddress(), server.address().getPort());
        BufferedReader answers =
            new BufferedReader(
                new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII))) {
      connection.setSoTimeout(30_000);
      assertThat(ask(connection, answers, "/health")).isEqualTo("HTTP/1.1 200 OK");
      for (String line = ""; !line.equals("here"); ) {
        line = answers.readLine();
      }
      end.start();
      assertThat(slow.ending.await(30, TimeUnit.SECONDS)).isTrue();

      assertThat(ask(connection, answers, "/health")).isEqualTo("HTTP/1.1 503 Service Unavailable");
      assertThat(answers.lines().toList())
          .contains("This NameNode ends, or changes its role. Ask again.");
    } finally {
      slow.mayEnd.countDown();
      end.join();
      server.close();
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
      assertThat(get(server, "/index.html").body()).contains("<h1>NameNode");
      assertThat(get(server, "/index.html").headers().firstValue("X-FRAME-OPTIONS"))
          .contains("SAMEORIGIN");
    }
  }

  @Test
  void browsersAreToldWhatThePagesDo() throws Exception {
    assertThat(header("Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'self'")
        .doesNotContain("unsafe");
    assertThat(header("X-Content-Type-Options")).isEqualTo("nosniff");
    conf.set("dfs.xframe.value", "DENY");
    assertThat(header("X-FRAME-OPTIONS")).isEqualTo("DENY");
    assertThat(header("Content-Security-Policy")).contains("frame-ancestors 'none'");
    conf.set("dfs.xframe.enabled", "false");
    assertThat(header("X-FRAME-OPTIONS")).isEmpty();
    assertThat(header("Content-Security-Policy")).doesNotContain("frame-ancestors");
    conf.set("hadoop.http.header.Content-Security-Policy", "default-src *");
    assertThat(header("Content-Security-Policy")).isEqualTo("default-src *");
  }

  private String header(String name) throws Exception {
    try (WebServer server = WebServer.bind(conf)) {
      server.start(List.of());
      return get(server, "/index.html").headers().firstValue(name).orElse("");
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
  void withoutAnAddressItListensWhereRpcDoes() {
    Configuration plain = new HdfsConfiguration();
    plain.set("fs.defaultFS", "hdfs://127.0.0.1:8020");
    assertThat(WebAddress.http(plain)).isEqualTo(new InetSocketAddress("127.0.0.1", 9870));

    plain.set("dfs.namenode.rpc-bind-host", "0.0.0.0");
    assertThat(WebAddress.http(plain)).isEqualTo(new InetSocketAddress("0.0.0.0", 9870));

    plain.set("dfs.namenode.http-address", "127.0.0.1:1");
    assertThat(WebAddress.http(plain)).isEqualTo(new InetSocketAddress("127.0.0.1", 1));
  }

  @Test
  void aNameOfSeveralAddressesIsOneListener() throws Exception {
    conf.set("dfs.namenode.http-address", "localhost:0");
    try (WebServer server = WebServer.bind(conf)) {
      server.start(List.of());

      assertThat(get(server, "/conf").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void afterTheCloseNothingIsLeft() throws Exception {
    WebServer server = WebServer.bind(conf);
    server.start(List.of());
    server.started().get();
    server.close();
    server.close();

    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("web-")) {
        thread.join(LONGEST_END_MS); // one that has done its last work may not be gone yet
        assertThat(thread.isAlive()).as(thread.getName()).isFalse();
      }
    }
    conf.set("dfs.namenode.http-address", "127.0.0.1:" + server.address().getPort());
    WebServer.bind(conf).close();
  }
}
