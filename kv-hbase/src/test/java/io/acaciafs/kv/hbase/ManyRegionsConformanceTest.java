package io.acaciafs.kv.hbase;

import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;

/** Most transactions span regions, and each request shows a token. */
class ManyRegionsConformanceTest extends HBaseConformance {
  ManyRegionsConformanceTest(LocalHBase hbase) {
    super(hbase, 4, true, HBaseOptions.NO_COPROCESSOR);
  }
}
