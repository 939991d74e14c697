package io.acaciafs.namenode.monitor;

import io.acaciafs.namenode.process.Versions;
import io.acaciafs.web.JsonPart.Answer;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the pages need to know before they show anything; asks the store nothing. */
public final class ShellPage {
  private static final Logger LOG = LoggerFactory.getLogger(ShellPage.class);

  /** Names of hosts are looked up for it. */
  private static final long OTHERS_MS = 60_000;

  private final EachInterval<Answer> answer;

  /** What a NameNode is among others. */
  public enum Role {
    ACTIVE,
    STANDBY
  }

  /**
   * @param address where this NameNode takes calls
   * @param actions whether the pages offer to change files
   * @param csrfHeader that requests of browsers have which change something
   * @param otherPages where browsers reach the other NameNodes of the cluster, by their names
   */
  public ShellPage(
      String address,
      Role role,
      boolean actions,
      String csrfHeader,
      Supplier<Map<String, URI>> otherPages) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("address", address);
    body.put("role", role.name().toLowerCase(Locale.ROOT));
    body.put("version", Versions.ACACIA);
    body.put("actions", actions);
    body.put("secure", UserGroupInformation.isSecurityEnabled());
    body.put("csrfHeader", csrfHeader);
    answer =
        new EachInterval<>(
            OTHERS_MS,
            () -> {
              Map<String, Object> whole = new LinkedHashMap<>(body);
              whole.put("others", known(otherPages));
              return Answer.ok(whole);
            });
  }

  private static Map<String, String> known(Supplier<Map<String, URI>> pages) {
    Map<String, String> shown = new LinkedHashMap<>();
    try {
      pages.get().forEach((name, page) -> shown.put(name, page.toString()));
    } catch (IllegalArgumentException e) { // an address that is none keeps no page from a viewer
      LOG.debug("Not known where the other NameNodes are", e);
    }
    return shown;
  }

  /** As of a minute ago at most. */
  public Answer read() {
    return answer.get();
  }
}
