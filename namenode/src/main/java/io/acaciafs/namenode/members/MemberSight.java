package io.acaciafs.namenode.members;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import java.util.Map;

/**
 * The rows of all members and ended members, as they were read at some moment between two times.
 *
 * @param rows may be changed
 * @param beforeNs before the rows were read
 * @param afterNs after that
 */
record MemberSight(Map<Key, byte[]> rows, long beforeNs, long afterNs) {
  static MemberSight of(Reader reader, LeaseTimes times) {
    long beforeNs = times.nowNs();
    Map<Key, byte[]> rows = MemberTable.rows(reader, MemberRow.ALL);
    return new MemberSight(rows, beforeNs, times.nowNs());
  }
}
