package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.web.TestFSMainOperationsWebHdfs;

/** Hadoop's tests of the same name. */
class WebHdfsMainOperationsTest extends TestFSMainOperationsWebHdfs {}
