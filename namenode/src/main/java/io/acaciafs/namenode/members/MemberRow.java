package io.acaciafs.namenode.members;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A member as it stands in the store; see docs/format.md.
 *
 * @param renewals how often it was written anew: what others watch
 * @param writtenMs since the epoch, by the member's own clock: shows which clock is wrong
 */
record MemberRow(Member member, long renewals, long writtenMs) {
  static final Table TABLE = Table.ofSingleRows("members");

  /** The number that the next member takes, eight bytes. */
  static final Key NEXT_NUMBER = new Key(TABLE, new byte[] {0});

  /** What the keys of members begin with. */
  static final byte[] PREFIX = {1};

  /** And those of members that are to be fenced off, with the row that they had. */
  static final byte[] ENDED = {3};

  /** All of both, and some other row. */
  static final KeyRange ALL = new KeyRange(TABLE, PREFIX, new byte[] {4});

  private static final byte FORMAT = 1;

  static Key key(long number) {
    return key(PREFIX, number);
  }

  /** The row of a member that has ended, until nothing that it wrote can take effect any more. */
  static Key ended(long number) {
    return key(ENDED, number);
  }

  static boolean isEnded(Key key) {
    return key.bytes()[0] == ENDED[0];
  }

  static boolean isMember(Key key) {
    return key.bytes()[0] == PREFIX[0] || isEnded(key);
  }

  private static Key key(byte[] prefix, long number) {
    return new Key(
        TABLE, ByteBuffer.allocate(prefix.length + Long.BYTES).put(prefix).putLong(number).array());
  }

  Key key() {
    return key(member.number());
  }

  MemberRow renewed(long nowMs) {
    return new MemberRow(member, renewals + 1, nowMs);
  }

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      out.writeLong(member.number());
      out.writeUTF(member.host());
      out.writeInt(member.port());
      out.writeLong(member.startedMs());
      out.writeUTF(member.secret());
      out.writeLong(renewals);
      out.writeLong(writtenMs);
    } catch (IOException e) {
      throw new UncheckedIOException("A host name that is too long: " + member.host(), e);
    }
    return bytes.toByteArray();
  }

  /**
   * @throws StoreException when it is none, or a newer one's
   */
  static MemberRow decode(byte @Nullable [] row) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(row))) {
      if (in.readByte() != FORMAT) {
        throw new StoreException("A NameNode of another version serves this store");
      }
      Member member =
          new Member(in.readLong(), in.readUTF(), in.readInt(), in.readLong(), in.readUTF());
      return new MemberRow(member, in.readLong(), in.readLong());
    } catch (IOException e) {
      throw new StoreException("Not the row of a NameNode that serves", e);
    }
  }
}
