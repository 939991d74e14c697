package io.acaciafs.namenode.members;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.jspecify.annotations.Nullable;

/**
 * What one NameNode says to another.
 *
 * @param change a change of directories, or what a store says; null for HELLO
 */
public record MemberMessage(
    Kind kind, Member sender, @Nullable String change, List<Long> directoryIds) {

  /** What is said. */
  public enum Kind {
    /**
     * The sender has begun to serve, and wants to be told of changes from now on. The answer comes
     * when all changes of which it was not told have ended; it names those that never will.
     */
    HELLO,
    /** These directories are about to change. */
    BLOCK,
    /** A change has ended. */
    UNBLOCK,
    /**
     * The receiver is to commit nothing until RESUME, or for so many milliseconds; see {@link
     * SharedBackup}.
     */
    PAUSE,
    /** Ends that; the answer says whether it lasted until now. */
    RESUME,
    /** What the sender's store says to the receiver's; its answer is the answer. */
    STORE
  }

  /** The change of a message that is not HELLO. */
  public String namedChange() {
    return Objects.requireNonNull(change, "the message names a change");
  }

  static MemberMessage hello(Member sender) {
    return new MemberMessage(Kind.HELLO, sender, null, List.of());
  }

  static MemberMessage block(Member sender, String change, Collection<Long> directoryIds) {
    return new MemberMessage(Kind.BLOCK, sender, change, List.copyOf(directoryIds));
  }

  static MemberMessage unblock(Member sender, String change) {
    return new MemberMessage(Kind.UNBLOCK, sender, change, List.of());
  }

  /**
   * @param receiver the one that is meant: another one may have its address by now
   */
  GenericRefreshRequestProto toProto(Member receiver) {
    GenericRefreshRequestProto.Builder proto =
        GenericRefreshRequestProto.newBuilder()
            .setIdentifier(kind.name())
            .addArgs(Long.toString(sender.number()))
            .addArgs(sender.secret())
            .addArgs(Long.toString(receiver.number()));
    if (change != null) {
      proto.addArgs(change).addArgs(textOf(directoryIds));
    }
    return proto.build();
  }

  /** As {@link #idsOf} reads them. */
  static String textOf(Collection<Long> ids) {
    return ids.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  static List<Long> idsOf(String text) {
    List<Long> ids = new ArrayList<>();
    if (!text.isEmpty()) {
      Arrays.stream(text.split(",")).map(Long::valueOf).forEach(ids::add);
    }
    return ids;
  }

  /**
   * @param members that may have sent it
   * @throws IOException when none of them did, or another one is meant
   */
  static MemberMessage fromProto(
      GenericRefreshRequestProto proto, Collection<Member> members, Member self)
      throws IOException {
    try {
      Member sender = sender(proto, members);
      if (sender == null) {
        throw new IOException("Not a NameNode of this file system");
      }
      if (Long.parseLong(proto.getArgs(2)) != self.number()) {
        throw new IOException("Another NameNode is meant, which was here before");
      }
      Kind kind = Kind.valueOf(proto.getIdentifier());
      return kind == Kind.HELLO
          ? hello(sender)
          : new MemberMessage(kind, sender, proto.getArgs(3), idsOf(proto.getArgs(4)));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IOException("Not a message that NameNodes send each other", e);
    }
  }

  /** Null when it is none of them, or does not know the secret. */
  static @Nullable Member sender(GenericRefreshRequestProto proto, Collection<Member> members) {
    long number = Long.parseLong(proto.getArgs(0));
    return members.stream()
        .filter(member -> member.number() == number && member.secret().equals(proto.getArgs(1)))
        .findAny()
        .orElse(null);
  }
}
