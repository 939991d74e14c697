package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.TestQuota;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Hadoop's tests of the same name. */
@TestMethodOrder(OrderAnnotation.class)
class QuotaTest extends TestQuota {

  /** Is skipped before it has taken the quota off the root, which all tests share: the last. */
  @Override
  @Test
  @Order(Integer.MAX_VALUE)
  public void testQuotaCommands() throws Exception {
    super.testQuotaCommands();
  }

  /** Looks for quotas in the NameNode's memory. */
  @Override
  @Test
  public void testMultipleFilesSmallerThanOneBlock() {
    Assumptions.abort("looks into the NameNode");
  }
}
