package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.tools.TestDelegationTokenFetcher;

/** Hadoop's tests of the same name. */
class DelegationTokenFetcherTest extends TestDelegationTokenFetcher {}
