/**
 * A cluster on one machine: the demo, standalone, and a local HBase.
 *
 * <p>Nothing here is for production.
 */
package io.acaciafs.tools.local;
