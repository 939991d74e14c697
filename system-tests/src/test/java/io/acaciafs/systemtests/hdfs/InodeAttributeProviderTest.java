package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.server.namenode.TestINodeAttributeProvider;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hadoop's tests of the same name, with the NameNode in their process. */
@ExtendWith(NotYetOffered.class)
class InodeAttributeProviderTest extends TestINodeAttributeProvider {}
