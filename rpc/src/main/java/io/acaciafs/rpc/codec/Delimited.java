package io.acaciafs.rpc.codec;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.Parser;

/** Protobuf messages with their lengths in front, as varints. */
public final class Delimited {
  private Delimited() {}

  public static <T> T read(CodedInputStream in, Parser<T> parser) throws IOException {
    int outer = in.pushLimit(in.readRawVarint32());
    T message = parser.parseFrom(in);
    in.checkLastTagWas(0);
    in.popLimit(outer);
    return message;
  }

  /** One message, encoded. */
  public static byte[] toBytes(Message message) {
    int size = message.getSerializedSize();
    byte[] bytes = new byte[CodedOutputStream.computeUInt32SizeNoTag(size) + size];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      out.writeUInt32NoTag(size);
      message.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // into an array that is long enough
    }
    return bytes;
  }
}
