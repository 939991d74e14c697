package io.acaciafs.namenode.monitor.console;

import io.acaciafs.namenode.members.Member;
import io.acaciafs.namenode.members.Members;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The NameNodes that serve one store, for people. */
public final class LiveMembers {
  private LiveMembers() {}

  /** Those that live, the one that has served longest first. Asks nobody. */
  public static List<Map<String, Object>> of(Members members) {
    return members.live().stream().map(member -> shown(member, members)).toList();
  }

  private static Map<String, Object> shown(Member member, Members members) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", member.address());
    shown.put("startedMs", member.startedMs());
    shown.put("isThis", member.equals(members.self()));
    shown.put("isFirst", member.equals(members.live().first()));
    return shown;
  }
}
