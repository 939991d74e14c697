package io.acaciafs.namenode.audit;

/** What a call has done with one path, or two. */
record Access(boolean allowed, String command, String source, String destination) {}
