package io.acaciafs.namenode;

import io.acaciafs.namenode.members.Member;
import io.acaciafs.namenode.members.Members;
import io.acaciafs.namenode.monitor.history.Neighbours;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.security.UserGroupInformation;

/** The other NameNodes that serve the same store. Safe for use by many threads. */
record SharingNameNodes(Members members) implements Neighbours {
  @Override
  public Map<String, InetSocketAddress> addresses() {
    Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
    for (Member member : members.live()) {
      if (!member.equals(members.self())) {
        addresses.put(member.address(), new InetSocketAddress(member.host(), member.port()));
      }
    }
    return addresses;
  }

  @Override
  public UserGroupInformation user() throws IOException {
    return UserGroupInformation.getLoginUser();
  }
}
