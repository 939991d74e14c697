package io.acaciafs.systemtests.suites;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractVectoredReadTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Hadoop's contract suite of the same name. */
@ParameterizedClass(name = "buffer {0}")
@MethodSource("params")
class VectoredReadContractTest extends AbstractContractVectoredReadTest {

  VectoredReadContractTest(String bufferType) {
    super(bufferType);
  }

  @Override
  protected AbstractFSContract createContract(Configuration conf) {
    return new AcaciaContract(conf);
  }
}
