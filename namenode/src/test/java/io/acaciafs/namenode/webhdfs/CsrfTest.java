package io.acaciafs.namenode.webhdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namenode.RunningNameNode;
import java.io.File;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With dfs.webhdfs.rest-csrf.enabled browsers may only look, unless they send a header. */
@Timeout(60)
class CsrfTest {
  @TempDir private File folder;

  @Test
  void browserMayOnlyChangeSomethingWithTheHeader() throws Exception {
    Map<String, String> settings = Map.of("dfs.webhdfs.rest-csrf.enabled", "true");
    try (RunningNameNode nameNode = new RunningNameNode(folder, settings)) {
      String me = System.getProperty("user.name");
      HttpRequest.Builder request =
          HttpRequest.newBuilder(nameNode.http("/webhdfs/v1/d?op=MKDIRS&user.name=" + me))
              .header("User-Agent", "Mozilla/5.0")
              .PUT(HttpRequest.BodyPublishers.noBody());
      HttpClient client = HttpClient.newHttpClient();
      HttpResponse<String> without =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      assertThat(without.statusCode()).isEqualTo(400);
      assertThat(nameNode.fileSystem().exists(new Path("/d"))).isFalse();

      HttpResponse<String> with =
          client.send(
              request.header("X-XSRF-HEADER", "x").build(), HttpResponse.BodyHandlers.ofString());
      assertThat(with.body()).isEqualTo("{\"boolean\":true}");
    }
  }
}
