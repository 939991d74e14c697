package io.acaciafs.kv.hbase;

import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;

/** Every transaction is one request. */
class OneRegionConformanceTest extends HBaseConformance {
  OneRegionConformanceTest(LocalHBase hbase) {
    super(hbase, 1, false, HBaseOptions.NO_COPROCESSOR);
  }
}
