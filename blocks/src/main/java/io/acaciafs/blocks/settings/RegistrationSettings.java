package io.acaciafs.blocks.settings;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * Which DataNodes may register.
 *
 * @param minVersion DataNodes of older software are refused
 * @param checksNames whether the NameNode refuses a DataNode whose address has no host name
 */
public record RegistrationSettings(String minVersion, boolean checksNames) {

  static RegistrationSettings of(Configuration conf) {
    return new RegistrationSettings(
        conf.getTrimmed(
            DFSConfigKeys.DFS_NAMENODE_MIN_SUPPORTED_DATANODE_VERSION_KEY,
            DFSConfigKeys.DFS_NAMENODE_MIN_SUPPORTED_DATANODE_VERSION_DEFAULT),
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_DATANODE_REGISTRATION_IP_HOSTNAME_CHECK_KEY,
            DFSConfigKeys.DFS_NAMENODE_DATANODE_REGISTRATION_IP_HOSTNAME_CHECK_DEFAULT));
  }
}
