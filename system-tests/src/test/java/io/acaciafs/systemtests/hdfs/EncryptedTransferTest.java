package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.TestEncryptedTransfer;

/** Hadoop's tests of the same name. */
class EncryptedTransferTest extends TestEncryptedTransfer {}
