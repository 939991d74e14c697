package io.acaciafs.namenode.calls;

import io.acaciafs.rpc.protocol.RequestCheck;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Limits the length of names in requests. HDFS limits new paths, components, extended attributes
 * and the entries of an ACL, each in its place. This class limits all other names to 4 KiB, and
 * paths of lookups to 64 KiB. So all that the NameNode remembers or stores of a request has a
 * limit. Stateless.
 */
public final class NameLimits implements RequestCheck {
  static final int NAME_BYTES = RequestCheck.SMALL_BYTES;
  static final int PATH_BYTES = 64 * 1024;

  /** Of one field: names, or DataNodes; lists of blocks have none. */
  static final int ITEMS = 100_000;

  /** Fields of any message that hold a path, or a place in a listing. */
  private static final Set<String> PATHS =
      Set.of(
          "src",
          "srcs",
          "dst",
          "trg",
          "filename",
          "path",
          "paths",
          "link",
          "target",
          "snapshotRoot",
          "startAfter",
          "startPath",
          "cookie");

  /** Fields with other limits, and lists as long as the number of blocks. */
  private static final Set<String> EXEMPT =
      Set.of(
          "hadoop.hdfs.XAttrProto.value",
          "hadoop.hdfs.datanode.StorageBlockReportProto.blocksBuffers");

  /** Fields that HDFS limits with its own text. */
  private static final Set<String> LONG_NAMES =
      Set.of("hadoop.hdfs.XAttrProto.name", "hadoop.hdfs.datanode.ErrorReportRequestProto.msg");

  /**
   * @throws HadoopIllegalArgumentException that says which name is too long
   */
  @Override
  public void check(Message request) {
    for (Map.Entry<FieldDescriptor, Object> field : request.getAllFields().entrySet()) {
      FieldDescriptor descriptor = field.getKey();
      if (field.getValue() instanceof List<?> list) {
        checkItems(descriptor, list);
      } else {
        checkValue(descriptor, field.getValue());
      }
    }
  }

  private void checkItems(FieldDescriptor field, List<?> items) {
    boolean isNamed =
        switch (field.getJavaType()) {
          case STRING, MESSAGE -> !isOfBlocks(field);
          default -> false;
        };
    if (isNamed && items.size() > ITEMS) {
      throw new HadoopIllegalArgumentException(
          field.getName() + " has " + items.size() + " items, at most " + ITEMS + " are allowed");
    }
    if (field.getJavaType() == FieldDescriptor.JavaType.STRING
        || field.getJavaType() == FieldDescriptor.JavaType.BYTE_STRING
        || field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      items.forEach(item -> checkValue(field, item));
    }
  }

  private static boolean isOfBlocks(FieldDescriptor field) {
    return field.getName().equals("blocks");
  }

  private void checkValue(FieldDescriptor field, Object value) {
    if (value instanceof Message message) {
      check(message);
    } else if (value instanceof String text) {
      checkLength(field, text.length() > limit(field) ? text.length() : utf8Length(text));
    } else if (value instanceof ByteString bytes) {
      checkLength(field, bytes.size());
    }
  }

  private static int utf8Length(String text) {
    return text.length() <= NAME_BYTES / 3 ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static void checkLength(FieldDescriptor field, int length) {
    if (length > limit(field)) {
      throw new HadoopIllegalArgumentException(
          field.getName()
              + " is "
              + length
              + " bytes long, at most "
              + limit(field)
              + " are allowed");
    }
  }

  private static int limit(FieldDescriptor field) {
    if (EXEMPT.contains(field.getFullName())) {
      return Integer.MAX_VALUE;
    }
    boolean isLong =
        field.getJavaType() == FieldDescriptor.JavaType.BYTE_STRING
            || PATHS.contains(field.getName())
            || LONG_NAMES.contains(field.getFullName());
    return isLong ? PATH_BYTES : NAME_BYTES;
  }
}
