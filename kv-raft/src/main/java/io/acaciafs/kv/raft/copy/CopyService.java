package io.acaciafs.kv.raft.copy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.acaciafs.kv.raft.call.BytesService;
import java.io.IOException;
import org.apache.ratis.thirdparty.io.grpc.ServerServiceDefinition;

/**
 * Gives other members the files of a copy, beside Ratis's own services. A request is a text: {@code
 * list}, which is answered with a line for each file, its length and name; {@code list new}, the
 * same of a copy that is made now; {@code read OFFSET NAME}, which is answered with up to {@link
 * #PIECE_BYTES} bytes, none at the file's end; {@code digest LENGTH NAME}, which is answered with
 * the SHA-256 of the first bytes of a file, and which earlier versions do not understand; {@code
 * done} by a member that has all; {@code standing}, which is answered with the words of {@link
 * MemberStanding}.
 */
public final class CopyService {
  static final int PIECE_BYTES = 1 << 20;
  static final String LIST = "list";
  static final String LIST_NEW = "list new";
  static final String DONE = "done";
  static final String STANDING = "standing";
  static final String READ = "read ";
  static final String DIGEST = "digest ";
  static final BytesService SERVICE = new BytesService("io.acaciafs.kv.raft.Copy");

  private final StoreCopy copy;
  private final MemberStanding.Source standing;

  /**
   * @param copy of this member's store
   */
  public CopyService(StoreCopy copy, MemberStanding.Source standing) {
    this.copy = copy;
    this.standing = standing;
  }

  public ServerServiceDefinition definition() {
    return SERVICE.definition(request -> answer(new String(request, UTF_8)));
  }

  private byte[] answer(String request) throws IOException {
    if (request.equals(LIST) || request.equals(LIST_NEW)) {
      return copy.list(request.equals(LIST_NEW)).getBytes(UTF_8);
    }
    if (request.equals(DONE)) {
      copy.done();
      return new byte[0];
    }
    if (request.equals(STANDING)) {
      return standing.now().encode().getBytes(UTF_8);
    }
    String[] words = request.split(" ", 3);
    if (words.length == 3 && request.startsWith(READ)) {
      return copy.read(words[2], Long.parseLong(words[1]), PIECE_BYTES);
    }
    if (words.length == 3 && request.startsWith(DIGEST)) {
      return copy.digest(words[2], Long.parseLong(words[1]));
    }
    throw new IllegalArgumentException("Not understood: " + request);
  }
}
