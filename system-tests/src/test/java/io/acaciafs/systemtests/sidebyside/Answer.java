package io.acaciafs.systemtests.sidebyside;

import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * What came of a request.
 *
 * @param text of the answer or the refusal, masked
 */
record Answer(boolean isRefusal, String text) {
  static Answer given(Message message) {
    return new Answer(false, Mask.all(Side.text(withoutDefaults(message))).strip());
  }

  static Answer refused(String className, String message) {
    return new Answer(true, Mask.all(className + ": " + message));
  }

  /** A reader cannot tell an optional field that has its default from one that is not there. */
  private static Message withoutDefaults(Message message) {
    Message.Builder builder = message.toBuilder();
    message.getAllFields().forEach((field, value) -> tidy(builder, field, value));
    return builder.buildPartial();
  }

  private static void tidy(Message.Builder builder, FieldDescriptor field, Object value) {
    boolean isMessage = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    if (field.isRepeated() && isMessage) {
      for (int i = 0; i < builder.getRepeatedFieldCount(field); i++) {
        Message element = (Message) builder.getRepeatedField(field, i);
        builder.setRepeatedField(field, i, withoutDefaults(element));
      }
    } else if (isMessage) {
      builder.setField(field, withoutDefaults((Message) value));
    } else if (field.isOptional() && value.equals(field.getDefaultValue())) {
      builder.clearField(field);
    }
  }
}
