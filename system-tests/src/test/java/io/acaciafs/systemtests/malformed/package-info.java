/** What no well-meaning client sends is refused as HDFS refuses it, and does no harm. */
package io.acaciafs.systemtests.malformed;
