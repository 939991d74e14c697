package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.server.namenode.TestGetContentSummaryWithPermission;
import org.junit.jupiter.api.Tag;

/** Hadoop's tests of the same name. */
@Tag("long")
class ContentSummaryWithPermissionTest extends TestGetContentSummaryWithPermission {}
