package io.acaciafs.systemtests.sidebyside;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** What each field of a request is given in turn. Further values are added to the lists here. */
final class BadValues {
  private static final Set<String> PATH_FIELDS =
      Set.of(
          "src", "dst", "path", "filename", "trg", "srcs", "paths", "link", "snapshotRoot", "zone");

  /** Paths in and around {@link FixtureTree}. */
  private static final List<String> PATHS =
      List.of(
          "/t/absent",
          "/t/absent/x",
          "/t/file",
          "/t/file/x",
          "/t/file/x/y",
          "/t/data",
          "/t/dir",
          "/t/dir/child",
          "/t/empty",
          "/t/empty/x",
          "/t/open",
          "/t/secret/file",
          "/t/secret/absent",
          "/t/secret/dir/x/y",
          "/t/secret",
          "/t/unreadable",
          "/t/sticky/super",
          "/t/sticky/alice",
          "/t/alice",
          "/t/alice/file",
          "/t/alice/dir",
          "/t/alice/x",
          "/t/wide/x",
          "/t/names/x",
          "/t/names/x/y",
          "/t/space/x",
          "/t/space/file",
          "/t/types/x",
          "/t/acl",
          "/t/xattr",
          "/t",
          "/",
          "//",
          "",
          ".",
          "t/rel",
          "/t/../t/file",
          "/t/./file",
          "/t//file",
          "/t/file/",
          "/t/dir//",
          "/t/a:b",
          "/t/a\nb",
          "/t/ü",
          "/t/" + "n".repeat(255),
          "/t/" + "n".repeat(256),
          "/t/" + "ü".repeat(128),
          "/t" + ("/" + "n".repeat(240)).repeat(34),
          "/t" + "/d".repeat(1000),
          "/.reserved",
          "/.reserved/",
          "/.reserved/none",
          "/.reserved/.inodes",
          "/.reserved/.inodes/",
          "/.reserved/.inodes/x",
          "/.reserved/.inodes/999999999",
          "/.reserved/.inodes/-1",
          "/.reserved/.inodes/$fileId",
          "/.reserved/.inodes/$dirId/x",
          "/.reserved/raw",
          "/.reserved/raw/t/file",
          "/.reserved/raw/t/absent",
          "/.reserved/raw/.reserved/raw/t",
          "/t/.reserved",
          "/t/.snapshot",
          "/t/dir/.snapshot/s");

  private static final List<String> NAMES =
      List.of("", " ", "other", "a b", "a\nb", "a:b", "/t/file", "HOT", "n".repeat(300));

  private static final List<Long> NUMBERS =
      List.of(0L, 1L, 2L, 511L, 1L << 20, -1L, (long) Integer.MAX_VALUE, Long.MAX_VALUE);

  private BadValues() {}

  /** All requests that differ from this one in one field. */
  static List<Request> variationsOf(Request request, Message built) {
    List<Request> all = new ArrayList<>();
    vary(request, built, List.of(), all);
    return all;
  }

  private static void vary(Request request, Message message, List<String> path, List<Request> all) {
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      List<String> fieldPath = new ArrayList<>(path);
      fieldPath.add(field.getName());
      boolean isSet =
          field.isRepeated() ? message.getRepeatedFieldCount(field) > 0 : message.hasField(field);
      if (isSet) {
        all.add(request.with(new Request.Change(List.copyOf(fieldPath), null)));
      }
      if (field.getType() == FieldDescriptor.Type.MESSAGE) {
        if (isSet) {
          Object inner =
              field.isRepeated() ? message.getRepeatedField(field, 0) : message.getField(field);
          vary(request, (Message) inner, fieldPath, all);
        }
        continue;
      }
      for (Object value : of(field)) {
        all.add(request.with(new Request.Change(List.copyOf(fieldPath), value)));
      }
    }
  }

  /** The values that a field is given, each of its type. */
  static List<Object> of(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case STRING -> List.copyOf(PATH_FIELDS.contains(field.getName()) ? PATHS : NAMES);
      case INT -> NUMBERS.stream().<Object>map(Long::intValue).distinct().toList();
      case LONG -> List.copyOf(NUMBERS);
      case BOOLEAN -> List.of(true, false);
      case ENUM -> List.copyOf(field.getEnumType().getValues());
      case BYTE_STRING ->
          Arrays.stream(new String[] {"", "child", "/t/file", "/.reserved/.inodes/x"})
              .<Object>map(ByteString::copyFromUtf8)
              .toList();
      default -> throw new IllegalArgumentException("no values for " + field);
    };
  }
}
