package io.acaciafs.kv.hbase.client;

import io.acaciafs.hbase.protocol.RegionService;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;

/** Messages of the coprocessor as HBase's RPC carries them: one field of bytes. */
public final class CoprocessorMessages {
  private static final int TAG =
      RegionService.MESSAGE_FIELD << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private CoprocessorMessages() {}

  /**
   * A call of the coprocessor, in HBase's terms.
   *
   * @param row one of the region
   * @param method of {@link RegionService}
   */
  public static CoprocessorServiceCall call(byte[] row, String method, byte[] message) {
    return CoprocessorServiceCall.newBuilder()
        .setRow(UnsafeByteOperations.unsafeWrap(row))
        .setServiceName(RegionService.NAME)
        .setMethodName(method)
        .setRequest(wrap(message))
        .build();
  }

  /** A request to a region to answer a call, of this coprocessor or of another one. */
  public static CoprocessorServiceRequest request(RegionInfo region, CoprocessorServiceCall call) {
    return CoprocessorServiceRequest.newBuilder()
        .setRegion(
            RequestConverter.buildRegionSpecifier(
                RegionSpecifierType.REGION_NAME, region.getRegionName()))
        .setCall(call)
        .build();
  }

  private static ByteString wrap(byte[] message) {
    byte[] wrapped =
        new byte[CodedOutputStream.computeByteArraySize(RegionService.MESSAGE_FIELD, message)];
    try {
      CodedOutputStream output = CodedOutputStream.newInstance(wrapped);
      output.writeByteArray(RegionService.MESSAGE_FIELD, message);
      output.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return UnsafeByteOperations.unsafeWrap(wrapped);
  }

  /**
   * @throws IOException when it is something else
   */
  public static byte[] unwrap(ByteString wrapped) throws IOException {
    CodedInputStream input = wrapped.newCodedInput();
    if (input.readTag() != TAG) {
      throw new IOException("The coprocessor answered what is no message of this version");
    }
    return input.readByteArray();
  }
}
