package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.web.TestWebHDFSXAttr;

/** Hadoop's tests of the same name. */
class WebHdfsXAttrTest extends TestWebHDFSXAttr {}
