/**
 * The NameNode's HTTP server and what is served by it: pages, metrics, beans.
 *
 * <p>Nothing of the file system lives here: numbers and answers come from outside, through narrow
 * interfaces. Who has something of his own to serve (WebHDFS, fsck) brings a {@link
 * io.acaciafs.web.WebPart}.
 */
@NullMarked
package io.acaciafs.web;

import org.jspecify.annotations.NullMarked;
