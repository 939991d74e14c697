package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings that protect what is served by HTTP. */
class HttpSettingsTest {
  @TempDir private File folder;

  @Test
  void whoDoesNotSayWhoHeIsIsRefusedWhereTheSiteWantsThat() throws Exception {
    try (RunningNameNode nameNode =
        new RunningNameNode(
            folder, Map.of("hadoop.http.authentication.simple.anonymous.allowed", "false"))) {
      for (String page : new String[] {"/jmx", "/webhdfs/v1/?op=LISTSTATUS", "/explorer.html"}) {
        assertThat(nameNode.send("GET", page).statusCode()).as(page).isIn(401, 403);
      }
      assertThat(nameNode.send("GET", "/jmx?user.name=alice").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void adminPagesAreForAdministratorsWhereTheSiteAuthorizes() throws Exception {
    Map<String, String> settings =
        Map.of(
            "hadoop.security.authorization", "true",
            "hadoop.security.instrumentation.requires.admin", "true",
            "dfs.cluster.administrators", "root2",
            "hadoop.http.filter.initializers",
                "org.apache.hadoop.security.HttpCrossOriginFilterInitializer");
    try (RunningNameNode nameNode = new RunningNameNode(folder, settings)) {
      assertThat(nameNode.send("GET", "/conf?user.name=root2").statusCode()).isEqualTo(200);
      assertThat(nameNode.send("GET", "/conf?user.name=mallory").statusCode()).isEqualTo(403);
      assertThat(nameNode.send("GET", "/jmx?user.name=mallory").statusCode()).isEqualTo(403);
    }
  }
}
