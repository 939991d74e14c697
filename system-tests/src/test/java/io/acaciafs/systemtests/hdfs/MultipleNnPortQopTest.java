package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.TestMultipleNNPortQOP;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hadoop's tests of the same name. */
@ExtendWith(LoginsEnd.class)
class MultipleNnPortQopTest extends TestMultipleNNPortQOP {}
