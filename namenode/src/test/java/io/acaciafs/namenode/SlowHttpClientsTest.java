package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of the web server that do not complete requests, or do not read answers. */
@Timeout(180)
class SlowHttpClientsTest {
  private static final int CLIENTS = Integer.getInteger("acacia.slow-http-clients", 300);

  /** Twice as many as the server has threads. */
  private static final int READERS = 64;

  /** Much longer than an answer takes on a loaded machine, much shorter than an idle timeout. */
  private static final long LIMIT_SECONDS = 20;

  private final List<Socket> slow = new ArrayList<>();
  private RunningNameNode nameNode;

  @BeforeEach
  void start(@TempDir File folder) throws Exception {
    nameNode = new RunningNameNode(folder, Map.of());
    nameNode.fileSystem().mkdirs(new Path("/d"));
    answers();
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : slow) {
      socket.close();
    }
    nameNode.close();
  }

  private void send(int clients, String text) throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(nameNode.http("/").getHost(), nameNode.http("/").getPort());
    for (int i = 0; i < clients; i++) {
      Socket socket = new Socket();
      slow.add(socket);
      socket.setReceiveBufferSize(4096);
      socket.connect(address);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
    }
  }

  /** Pages, beans and WebHDFS answer. */
  private void answers() throws Exception {
    long beginNanos = System.nanoTime();
    for (String path :
        List.of(
            "/jmx?qry=java.lang:type=Runtime",
            "/index.html",
            "/webhdfs/v1/?op=GETFILESTATUS&user.name=alice")) {
      HttpResponse<String> answer = nameNode.send("GET", path);
      assertThat(answer.statusCode()).isEqualTo(200);
    }
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos))
        .isLessThan(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
  }

  @Test
  void unreadAnswers() throws Exception {
    String name = "n".repeat(200);
    for (int i = 0; i < 1000; i++) {
      nameNode.fileSystem().mkdirs(new Path("/d/" + name + i));
    }
    send(
        READERS,
        "GET /webhdfs/v1/d?op=LISTSTATUS&user.name=alice HTTP/1.1\r\nHost: nn\r\n\r\n".repeat(20));
    answers();
  }

  @Test
  void halfHeaders() throws Exception {
    send(CLIENTS, "GET /jmx HTTP/1.1\r\nHost: nn\r\nAccept: ");
    answers();
  }

  @Test
  void halfBodies() throws Exception {
    send(
        CLIENTS,
        "PUT /webhdfs/v1/d/f?op=MKDIRS&user.name=alice HTTP/1.1\r\nHost: nn\r\n"
            + "Content-Type: application/octet-stream\r\nContent-Length: 100000\r\n\r\nhalf");
    answers();
  }

  @Test
  void halfForms() throws Exception {
    for (String path : List.of("/jmx", "/webhdfs/v1/d/f?op=MKDIRS&user.name=alice", "/")) {
      for (String method : List.of("PUT", "POST")) {
        send(
            CLIENTS,
            method
                + " "
                + path
                + " HTTP/1.1\r\nHost: nn\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100000\r\n\r\na=");
        answers();
      }
    }
  }
}
