package io.acaciafs.systemtests.hdfs;

import java.io.IOException;
import org.apache.hadoop.hdfs.web.TestWebHdfsTokens;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hadoop's tests of the same name, with time to make the first mock. */
@ExtendWith({LoginsEnd.class, ClassesInAFolder.class})
class WebHdfsTokensTest extends TestWebHdfsTokens {

  @Override
  @Test
  @Timeout(60)
  public void testTokenForNonTokenOp() throws IOException {
    super.testTokenForNonTokenOp();
  }

  @Override
  @Test
  @Timeout(60)
  public void testNoTokenForGetToken() throws IOException {
    super.testNoTokenForGetToken();
  }

  @Override
  @Test
  @Timeout(60)
  public void testNoTokenForRenewToken() throws IOException {
    super.testNoTokenForRenewToken();
  }

  @Override
  @Test
  @Timeout(60)
  public void testNoTokenForCancelToken() throws IOException {
    super.testNoTokenForCancelToken();
  }
}
