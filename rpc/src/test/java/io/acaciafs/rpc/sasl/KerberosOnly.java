package io.acaciafs.rpc.sasl;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/** A server of which clients have no tokens. */
final class KerberosOnly {
  private KerberosOnly() {}

  static Authentication authentication() throws IOException {
    Configuration conf = new Configuration();
    conf.set("hadoop.security.authentication", "kerberos");
    return Authentication.of(
        conf, UserGroupInformation.createRemoteUser("nn/localhost@EXAMPLE.COM"), null);
  }
}
