/** What viewers see and do in a browser, by its effect. Pictures are kept. */
package io.acaciafs.systemtests.pages;
