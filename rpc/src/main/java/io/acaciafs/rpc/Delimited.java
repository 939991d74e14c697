package io.acaciafs.rpc;

import java.io.IOException;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.Parser;

/** Protobuf messages one after the other, each behind its length as a varint. */
final class Delimited {
  private Delimited() {}

  static <T> T read(CodedInputStream in, Parser<T> parser) throws IOException {
    int outer = in.pushLimit(in.readRawVarint32());
    T message = parser.parseFrom(in);
    in.checkLastTagWas(0);
    in.popLimit(outer);
    return message;
  }
}
