package io.acaciafs.blocks.testkit;

import java.util.List;
import org.apache.hadoop.net.DNSToSwitchMapping;

/** The rack of 10.0.7.1 is /rack7. */
public final class RacksByAddress implements DNSToSwitchMapping {
  @Override
  public List<String> resolve(List<String> names) {
    return names.stream().map(name -> "/rack" + name.split("\\.")[2]).toList();
  }

  @Override
  public void reloadCachedMappings() {}

  @Override
  public void reloadCachedMappings(List<String> names) {}
}
