/** What Acacia does not have yet, as an application that looks for it finds it. */
package io.acaciafs.systemtests.features;
