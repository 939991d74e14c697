package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.web.TestWebHDFSAcl;

/** Hadoop's tests of the same name. */
class WebHdfsAclTest extends TestWebHDFSAcl {}
