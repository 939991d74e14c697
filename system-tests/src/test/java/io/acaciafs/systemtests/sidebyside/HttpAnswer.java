package io.acaciafs.systemtests.sidebyside;

import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** Sends an HTTP request, and returns the part of the answer that has to be equal. */
final class HttpAnswer {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final List<String> HEADERS = List.of("Location", "Content-Type", "Allow");

  /** When something was, and ids, in the JSON of answers. */
  private static final Pattern OWN_NUMBERS =
      Pattern.compile(
          "\"(fileId|inodeId|modificationTime|accessTime|blockId|generationStamp|lastUpdate"
              + "|lastUpdateMonotonic|lastBlockReportTime|lastBlockReportMonotonic)\":\\d+");

  /** Beans, settings and threads differ as programs do; other tests look at them. */
  private static final Pattern OWN_PAGE =
      Pattern.compile("/(jmx|conf|stacks|logLevel|startupProgress|isActive)\\b.*");

  /** Jetty's name of what answers, and how long a check took. */
  private static final Pattern OWN_TEXT =
      Pattern.compile(
          "<tr><th>SERVLET:</th><td>[^<]*</td></tr>"
              + "|(Connecting to|FSCK (started|ended)) [^\n]*");

  private static final int OK = 200;

  private HttpAnswer() {}

  /** The status, some headers and the body. */
  static Answer of(HttpClient http, int port, String method, String pathAndQuery)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + pathAndQuery))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .timeout(LIMIT)
            .build();
    HttpResponse<String> response = send(http, request);
    StringBuilder text = new StringBuilder().append(response.statusCode()).append('\n');
    for (String header : HEADERS) {
      response
          .headers()
          .firstValue(header)
          .ifPresent(value -> text.append(header).append(": ").append(value).append('\n'));
    }
    boolean isOwn = response.statusCode() == OK && OWN_PAGE.matcher(pathAndQuery).matches();
    text.append(isOwn ? "a page" : response.body());
    String masked = OWN_NUMBERS.matcher(Mask.all(text.toString())).replaceAll("\"$1\":#");
    return new Answer(
        response.statusCode() / 100 != 2, OWN_TEXT.matcher(masked).replaceAll("#").strip());
  }

  /**
   * A server may close a connection that the client has kept at the moment of the next request,
   * which it has not seen then. That one goes again, by another connection.
   */
  private static HttpResponse<String> send(HttpClient http, HttpRequest request)
      throws IOException, InterruptedException {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      if (!(e.getCause() instanceof EOFException)
          && !String.valueOf(e.getMessage()).contains("received no bytes")) {
        throw e;
      }
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }
}
