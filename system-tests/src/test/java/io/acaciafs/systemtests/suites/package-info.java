/**
 * Hadoop's own suites, unmodified, over RPC against the NameNode under test.
 *
 * <p>All of them share one cluster. Those with the tag {@code later} test what Acacia does not
 * offer yet: {@code mvn verify -pl system-tests -am -Dexcluded.tags=none} runs them as well.
 */
package io.acaciafs.systemtests.suites;
