/** Clusters with Kerberos, whose programs all run in processes of their own, with tickets. */
package io.acaciafs.systemtests.secure;
