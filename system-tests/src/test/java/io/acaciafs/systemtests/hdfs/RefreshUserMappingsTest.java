package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.GroupMappingServiceProvider;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.TestRefreshUserMappings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Hadoop's tests of the same name, with the NameNode in their process. */
class RefreshUserMappingsTest extends TestRefreshUserMappings {

  @RegisterExtension static final ClassesInAFolder SETTINGS = new ClassesInAFolder("hdfs-site.xml");

  /** A class that ran before in this process may have made those of another mapping. */
  @BeforeAll
  static void makeGroups() {
    Configuration conf = new Configuration();
    conf.setClass(
        "hadoop.security.group.mapping",
        MockUnixGroupsMapping.class,
        GroupMappingServiceProvider.class);
    conf.setLong("hadoop.security.groups.cache.secs", 1); // as the tests have it
    Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
  }

  @AfterAll
  static void forgetGroups() {
    Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(new Configuration());
  }
}
