package io.acaciafs.kv.hbase;

import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;

/** Every transaction is judged by the coprocessor. */
class OneRegionCoprocessorConformanceTest extends HBaseConformance {
  OneRegionCoprocessorConformanceTest(LocalHBase hbase) {
    super(hbase, 1, true, HBaseOptions.COPROCESSOR_ON_CLASS_PATH);
  }
}
