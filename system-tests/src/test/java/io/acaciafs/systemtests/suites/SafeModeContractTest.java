package io.acaciafs.systemtests.suites;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractSafeModeTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/** Hadoop's contract suite of the same name. */
class SafeModeContractTest extends AbstractContractSafeModeTest {

  @Override
  protected AbstractFSContract createContract(Configuration conf) {
    return new AcaciaContract(conf);
  }
}
