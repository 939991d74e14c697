package io.acaciafs.namenode.monitor;

import io.acaciafs.namenode.process.Versions;
import io.acaciafs.web.JsonPart.Answer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.security.UserGroupInformation;

/** What the pages need to know before they show anything; asks the store nothing. */
public final class ShellPage {
  private final Answer answer;

  /** What a NameNode is among others. */
  public enum Role {
    ACTIVE,
    STANDBY
  }

  /**
   * @param address where this NameNode takes calls
   * @param actions whether the pages offer to change files
   * @param csrfHeader that requests of browsers have which change something
   */
  public ShellPage(String address, Role role, boolean actions, String csrfHeader) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("address", address);
    body.put("role", role.name().toLowerCase(Locale.ROOT));
    body.put("version", Versions.ACACIA);
    body.put("actions", actions);
    body.put("secure", UserGroupInformation.isSecurityEnabled());
    body.put("csrfHeader", csrfHeader);
    answer = Answer.ok(body);
  }

  /** The same each time. */
  public Answer read() {
    return answer;
  }
}
