package io.acaciafs.bench.ha;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;

/** How far the store of a NameNode is, from its {@code /metrics}. Stateless. */
final class AppliedBatch {
  private static final String NAME = "acacia_ha_applied_batch ";
  private static final int TIMEOUT_MS = 10_000;

  private AppliedBatch() {}

  /**
   * @param http host and port
   * @throws IOException also if the NameNode does not answer
   */
  static long of(String http) throws IOException {
    URLConnection connection = URI.create("http://" + http + "/metrics").toURL().openConnection();
    connection.setConnectTimeout(TIMEOUT_MS);
    connection.setReadTimeout(TIMEOUT_MS);
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(NAME)) {
          return (long) Double.parseDouble(line.substring(NAME.length()));
        }
      }
    }
    throw new IOException(http + " does not tell " + NAME.strip());
  }
}
