/**
 * What becomes of each setting that HDFS has: the list, which is data, and the look that a start
 * takes at it. What honours a setting lives elsewhere.
 */
package io.acaciafs.namenode.settings;
