package io.acaciafs.namenode.members;

import java.io.IOException;
import java.util.Collection;
import java.util.List;

/** Carries messages to other NameNodes. Safe for use by many threads. */
public interface Messenger {
  /**
   * Tries once, and waits for the answer.
   *
   * @return texts
   * @throws IOException when none came; the message may have arrived
   */
  List<String> send(Member receiver, MemberMessage message) throws IOException;

  /** Forgets those that are not there any more. */
  void retain(Collection<Member> live);
}
