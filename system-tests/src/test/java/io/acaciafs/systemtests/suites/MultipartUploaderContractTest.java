package io.acaciafs.systemtests.suites;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractMultipartUploaderTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/** Hadoop's contract suite of the same name. */
class MultipartUploaderContractTest extends AbstractContractMultipartUploaderTest {

  @Override
  protected AbstractFSContract createContract(Configuration conf) {
    return new AcaciaContract(conf);
  }

  @Override
  protected int partSizeInBytes() {
    return 1024;
  }

  @Override
  protected boolean finalizeConsumesUploadIdImmediately() {
    return true;
  }

  @Override
  protected boolean supportsConcurrentUploadsToSamePath() {
    return true;
  }
}
