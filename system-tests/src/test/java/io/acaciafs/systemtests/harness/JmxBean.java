package io.acaciafs.systemtests.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;

/** Beans of a server of Hadoop or Acacia, as its page shows them. Stateless. */
public final class JmxBean {
  private static final ObjectMapper JSON = new ObjectMapper();

  private JmxBean() {}

  /**
   * One bean.
   *
   * @param address of the server's pages
   * @param service such as NameNode
   */
  public static JsonNode read(String address, String service, String name) throws IOException {
    return read(address, "Hadoop:service=" + service + ",name=" + name);
  }

  /** One bean by its whole name. */
  static JsonNode read(String address, String bean) throws IOException {
    URI page = URI.create("http://" + address + "/jmx?qry=" + bean);
    try (InputStream in = page.toURL().openStream()) {
      return JSON.readTree(in).get("beans").get(0);
    }
  }
}
