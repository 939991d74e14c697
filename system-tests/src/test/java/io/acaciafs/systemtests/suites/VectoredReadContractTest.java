package io.acaciafs.systemtests.suites;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.contract.AbstractContractVectoredReadTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Hadoop's contract suite of the same name. */
@ParameterizedClass(name = "buffer {0}")
@MethodSource("params")
class VectoredReadContractTest extends AbstractContractVectoredReadTest {
  /** Each test writes a file of 64 KB, which has four of these, but 64 of the shared cluster's. */
  private static final int BLOCK_SIZE = 16 * 1024;

  private static FileSystem fs;

  VectoredReadContractTest(String bufferType) {
    super(bufferType);
  }

  @BeforeAll
  static void connect() throws IOException {
    Configuration conf = SharedCluster.configuration();
    conf.setInt("dfs.blocksize", BLOCK_SIZE);
    fs = SharedCluster.newFileSystem(conf);
  }

  @AfterAll
  static void disconnect() throws IOException {
    fs.close();
  }

  @Override
  protected AbstractFSContract createContract(Configuration conf) {
    return new AcaciaContract(conf) {
      @Override
      public FileSystem getTestFileSystem() {
        return fs;
      }
    };
  }
}
