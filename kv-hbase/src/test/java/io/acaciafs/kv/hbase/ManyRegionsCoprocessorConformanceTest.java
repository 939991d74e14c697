package io.acaciafs.kv.hbase;

import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;

/** The coprocessor and stock requests work on the same rows. */
class ManyRegionsCoprocessorConformanceTest extends HBaseConformance {
  ManyRegionsCoprocessorConformanceTest(LocalHBase hbase) {
    super(hbase, 4, false, HBaseOptions.COPROCESSOR_ON_CLASS_PATH);
  }
}
