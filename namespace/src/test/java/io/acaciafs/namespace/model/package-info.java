/**
 * A file system as simple as it can be, random histories, and the comparison of both with the
 * namespace.
 */
package io.acaciafs.namespace.model;
