package io.acaciafs.systemtests.sidebyside;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.TextFormat;

/**
 * A call of any protocol, as text.
 *
 * @param method of the protocol
 * @param text the request in protobuf's text format; {@code $NAME} stands for what is different on
 *     each side, such as the id of a file
 * @param changes what is put in the place of single fields afterwards
 */
record Request(Protocol protocol, String method, String text, List<Change> changes) {
  /** Of ClientProtocol. */
  Request(String method, String text) {
    this(Protocol.CLIENT, method, text, List.of());
  }

  /**
   * Another value of a field, or none.
   *
   * @param path from the request to the field, by the fields' names
   * @param value in the type that protobuf wants; with {@code $NAME} where it is a text; null: the
   *     field is left out, a repeated one is empty
   */
  record Change(List<String> path, Object value) {
    @Override
    public String toString() {
      String text = String.valueOf(value);
      return String.join(".", path)
          + "="
          + (text.length() > 60 ? text.substring(0, 60) + "..." + text.length() : text);
    }
  }

  Request with(Change change) {
    List<Change> more = new ArrayList<>(changes);
    more.add(change);
    return new Request(protocol, method, text, List.copyOf(more));
  }

  /** The method's request without any field. */
  Message prototype() {
    return Side.prototype(protocol, method);
  }

  /** Fields that must be there may be missing: the server has to cope with that. */
  Message build(Map<String, String> values) {
    Message.Builder builder = prototype().newBuilderForType();
    try {
      TextFormat.merge(filled(text, values), builder);
    } catch (TextFormat.ParseException e) {
      throw new IllegalArgumentException("not a request of " + method + ": " + text, e);
    }
    for (Change change : changes) {
      apply(builder, change.path(), change.value(), values);
    }
    return builder.buildPartial();
  }

  private static void apply(
      Message.Builder builder, List<String> path, Object value, Map<String, String> values) {
    FieldDescriptor field = builder.getDescriptorForType().findFieldByName(path.get(0));
    if (path.size() > 1) {
      Message.Builder inner =
          (field.isRepeated()
                  ? (Message) builder.getRepeatedField(field, 0)
                  : (Message) builder.getField(field))
              .toBuilder();
      apply(inner, path.subList(1, path.size()), value, values);
      if (field.isRepeated()) {
        builder.setRepeatedField(field, 0, inner.buildPartial());
      } else {
        builder.setField(field, inner.buildPartial());
      }
      return;
    }
    builder.clearField(field);
    if (value == null) {
      return;
    }
    Object filled = value instanceof String string ? filled(string, values) : value;
    if (field.isRepeated()) {
      builder.addRepeatedField(field, filled);
    } else {
      builder.setField(field, filled);
    }
  }

  private static String filled(String text, Map<String, String> values) {
    String filled = text;
    for (Map.Entry<String, String> value : values.entrySet()) {
      filled = filled.replace("$" + value.getKey(), value.getValue());
    }
    return filled;
  }

  @Override
  public String toString() {
    return method + " {" + text.strip() + "}" + (changes.isEmpty() ? "" : " with " + changes);
  }
}
