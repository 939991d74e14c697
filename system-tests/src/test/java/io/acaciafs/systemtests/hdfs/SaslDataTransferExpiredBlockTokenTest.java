package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.TestSaslDataTransferExpiredBlockToken;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Hadoop's tests of the same name. It sets the life of tokens in a NameNode's memory to a second;
 * here the site says a minute, for which each test waits.
 */
@Tag("long")
@Timeout(300)
@ExtendWith(LoginsEnd.class)
class SaslDataTransferExpiredBlockTokenTest extends TestSaslDataTransferExpiredBlockToken {

  @Override
  protected HdfsConfiguration createSecureConfig(String protection) throws Exception {
    HdfsConfiguration conf = super.createSecureConfig(protection);
    conf.setLong("dfs.block.access.token.lifetime", 1);
    return conf;
  }
}
