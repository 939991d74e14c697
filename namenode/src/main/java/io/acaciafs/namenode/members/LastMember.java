package io.acaciafs.namenode.members;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which member the last process of a NameNode's folder was. The lock of the folder shows to its
 * next process that the last one has ended, so nobody has to wait for the end of its lease.
 *
 * <p>The lock shows that as long as the machine runs: another machine may have the folder by a
 * network, and does not see what still runs on the first. So what is written down counts only under
 * the operating system that ran then, and need not be durable. For one thread at a time.
 */
public final class LastMember {
  private static final Logger LOG = LoggerFactory.getLogger(LastMember.class);
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  private final @Nullable Path file;
  private final @Nullable String bootId;

  private LastMember(@Nullable Path file, @Nullable String bootId) {
    this.file = file;
    this.bootId = bootId;
  }

  /** Of a folder whose lock this process holds. */
  public static LastMember in(Path folder) {
    return in(folder, BOOT_ID);
  }

  static LastMember in(Path folder, Path bootId) {
    String text;
    try {
      text = Files.readString(bootId, StandardCharsets.US_ASCII).strip();
    } catch (IOException e) { // another operating system
      return unknown();
    }
    return new LastMember(folder.resolve("member"), text);
  }

  /** Of a process without a folder that it locks. */
  static LastMember unknown() {
    return new LastMember(null, null);
  }

  /** Whether a member was the last one, so that it has ended for certain. */
  Predicate<Member> read() {
    if (file == null || !Files.exists(file)) {
      return member -> false;
    }
    String text;
    try {
      text = Files.readString(file, StandardCharsets.US_ASCII);
    } catch (IOException e) { // its lease ends without that
      LOG.warn("Not known which NameNode ran here last file={} reason={}", file, e.toString());
      return member -> false;
    }
    return member -> text.equals(text(member));
  }

  /** From now on this process is the last one. */
  void write(Member self) {
    if (file == null) {
      return;
    }
    Path written = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      Files.writeString(written, text(self), StandardCharsets.US_ASCII);
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) { // the next one waits for the end of a lease
      LOG.warn("Not written down which NameNode runs here file={} reason={}", file, e.toString());
    }
  }

  private String text(Member member) {
    return bootId + " " + member.number() + " " + member.startedMs() + "\n";
  }
}
