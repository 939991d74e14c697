package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.web.TestWebHdfsFileSystemContract;

/** Hadoop's tests of the same name. */
class WebHdfsFileSystemContractTest extends TestWebHdfsFileSystemContract {}
