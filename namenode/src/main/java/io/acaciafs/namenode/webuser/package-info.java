/**
 * The user of a request by HTTP: as Hadoop's filters have told it, or as a delegation token says.
 */
@NullMarked
package io.acaciafs.namenode.webuser;

import org.jspecify.annotations.NullMarked;
