/** What the pages for operators ask: users, work, open files, quotas and settings. */
@NullMarked
package io.acaciafs.namenode.monitor.console;

import org.jspecify.annotations.NullMarked;
