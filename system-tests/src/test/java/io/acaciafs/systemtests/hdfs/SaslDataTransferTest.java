package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.TestSaslDataTransfer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hadoop's tests of the same name. */
@Tag("long")
@ExtendWith(LoginsEnd.class)
class SaslDataTransferTest extends TestSaslDataTransfer {}
