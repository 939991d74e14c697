package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.web.TestWebHdfsWithAuthenticationFilter;

/** Hadoop's tests of the same name, with the NameNode in their process. */
class WebHdfsWithAuthenticationFilterTest extends TestWebHdfsWithAuthenticationFilter {}
