package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.web.TestHttpsFileSystem;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hadoop's tests of the same name. */
@ExtendWith(ClassesInAFolder.class)
class HttpsFileSystemTest extends TestHttpsFileSystem {}
