package io.acaciafs.kv;

/** A row as a scan found it. */
public record Row(Key key, byte[] value) {}
