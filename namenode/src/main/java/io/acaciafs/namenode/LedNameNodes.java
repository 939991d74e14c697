package io.acaciafs.namenode;

import io.acaciafs.namenode.ha.MemberAddresses;
import io.acaciafs.namenode.monitor.history.Neighbours;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The other NameNodes of a group of which one leads. Safe for use by many threads.
 *
 * @param self the name of this one
 * @param login whom this one calls others as
 */
record LedNameNodes(MemberAddresses members, String self, Supplier<UserGroupInformation> login)
    implements Neighbours {
  @Override
  public Map<String, InetSocketAddress> addresses() {
    Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
    for (String name : members.names()) {
      InetSocketAddress address = name.equals(self) ? null : members.rpc(name);
      if (address != null) {
        addresses.put(name, address);
      }
    }
    return addresses;
  }

  @Override
  public UserGroupInformation user() {
    return login.get();
  }
}
