package io.acaciafs.systemtests.suites;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.io.wrappedio.impl.TestWrappedIO;

/** Hadoop's suite {@code TestWrappedIO}. */
class WrappedIoContractTest extends TestWrappedIO {

  @Override
  protected AbstractFSContract createContract(Configuration conf) {
    return new AcaciaContract(conf);
  }
}
