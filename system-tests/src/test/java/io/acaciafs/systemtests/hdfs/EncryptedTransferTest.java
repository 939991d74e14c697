package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.TestEncryptedTransfer;
import org.junit.jupiter.api.Tag;

/** Hadoop's tests of the same name. */
@Tag("long")
class EncryptedTransferTest extends TestEncryptedTransfer {}
