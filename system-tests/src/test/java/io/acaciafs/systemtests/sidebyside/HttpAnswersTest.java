package io.acaciafs.systemtests.sidebyside;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What is asked over HTTP, most of it WebHDFS, has the status, the headers and the body that
 * Hadoop's NameNode answers with. Further requests are lines of {@code http-requests.txt}.
 */
class HttpAnswersTest {
  private static final String WEBHDFS = "/webhdfs/v1/";

  /** In the place of a parameter's value; as an URL has them. */
  private static final List<String> VALUES =
      List.of("", "x", "-1", "0", "99999999999999999999", "%20", "/t/file", "n".repeat(2000));

  private static SideBySide both;
  private static KnownDifferences known;

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  @BeforeAll
  static void start() throws Exception {
    known = new KnownDifferences("known-http-differences.txt");
    both = new SideBySide("http-answers", known);
  }

  @AfterAll
  static void stop() throws Exception {
    both.close();
  }

  @Test
  void answersAsHdfs() throws Exception {
    for (String line : RequestTable.lines("http-requests.txt")) {
      String[] words = line.split(" ", 2);
      for (String variation : variationsOf(words[1])) {
        compare(words[0], variation);
      }
      for (String users : users()) {
        compare(words[0], words[1] + (words[1].contains("?") ? "&" : "?") + users);
      }
    }
    assertThat(both.takeDifferences()).isEmpty();
    assertThat(known.obsolete()).isEmpty();
  }

  private static List<String> users() {
    return List.of(
        "user.name=alice",
        "user.name=",
        "user.name=a%20b",
        "user.name=alice&user.name=bob",
        "user.name=alice&doas=bob",
        "user.name=" + both.superuser() + "&doas=alice",
        "user.name=" + both.superuser() + "&unknown=x");
  }

  /** As a superuser asks: the request, and with each of its parameters wrong in turn. */
  private static List<String> variationsOf(String pathAndQuery) {
    String[] parts = pathAndQuery.split("\\?", 2);
    List<String> parameters = parts.length == 1 ? List.of() : Arrays.asList(parts[1].split("&"));
    List<String> all = new ArrayList<>();
    all.add(url(parts[0], parameters));
    for (int i = 0; i < parameters.size(); i++) {
      String name = parameters.get(i).split("=", 2)[0];
      List<String> changed = new ArrayList<>(parameters);
      changed.remove(i);
      all.add(url(parts[0], changed));
      changed.add(i, name);
      for (String value : VALUES) {
        changed.set(i, name + "=" + value);
        all.add(url(parts[0], changed));
      }
      changed.set(i, parameters.get(i));
      changed.add(i, name + "=x");
      all.add(url(parts[0], changed));
    }
    return all;
  }

  private static String url(String path, List<String> parameters) {
    List<String> all = new ArrayList<>(parameters);
    all.add("user.name=" + both.superuser());
    return path + "?" + String.join("&", all);
  }

  private void compare(String method, String pathAndQuery) throws Exception {
    Answer expected =
        HttpAnswer.of(http, both.hadoops().cluster().httpPort(), method, pathAndQuery);
    Answer answer = HttpAnswer.of(http, both.ours().cluster().httpPort(), method, pathAndQuery);
    String request = method + " " + pathAndQuery;
    both.note(request, expected, answer);
    boolean changes = pathAndQuery.startsWith(WEBHDFS) && !method.equals("GET");
    if (changes && !(expected.isRefusal() && answer.isRefusal())) {
      both.restoreAfter(request.replaceFirst("\\?", "'?").replaceFirst(" /webhdfs/v1", " '"));
    }
  }
}
