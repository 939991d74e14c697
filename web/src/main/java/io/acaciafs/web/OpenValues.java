package io.acaciafs.web;

import java.util.Map;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;

/**
 * Maps as JMX shows those of MXBeans: a table of rows {@code key} and {@code value}; a map inside a
 * map is a composite, as are {@link Bean.Fields}. Stateless.
 */
final class OpenValues {
  private static final String[] COLUMNS = {"key", "value"};

  private OpenValues() {}

  static Object of(Object value) {
    if (value instanceof Bean.Fields fields) {
      return composite(fields.values());
    }
    return value instanceof Map<?, ?> map ? table(map) : value;
  }

  private static Object composite(Map<String, Object> fields) {
    try {
      return cell(fields);
    } catch (OpenDataException e) {
      throw new IllegalArgumentException("No fields that JMX can show: " + fields, e);
    }
  }

  private static TabularDataSupport table(Map<?, ?> map) {
    try {
      Object some = map.isEmpty() ? "" : cell(map.values().iterator().next());
      CompositeType row =
          new CompositeType(
              "row", "row", COLUMNS, COLUMNS, new OpenType<?>[] {SimpleType.STRING, type(some)});
      TabularDataSupport table =
          new TabularDataSupport(new TabularType("map", "map", row, new String[] {"key"}));
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        Object[] values = {entry.getKey().toString(), cell(entry.getValue())};
        table.put(new CompositeDataSupport(row, COLUMNS, values));
      }
      return table;
    } catch (OpenDataException e) {
      throw new IllegalArgumentException("Not a map that JMX can show: " + map, e);
    }
  }

  private static Object cell(Object value) throws OpenDataException {
    if (!(value instanceof Map<?, ?> fields)) {
      return value;
    }
    String[] names = fields.keySet().stream().map(Object::toString).toArray(String[]::new);
    OpenType<?>[] types = new OpenType<?>[names.length];
    Object[] values = fields.values().toArray();
    for (int i = 0; i < names.length; i++) {
      types[i] = type(values[i]);
    }
    return new CompositeDataSupport(
        new CompositeType("fields", "fields", names, names, types), names, values);
  }

  private static OpenType<?> type(Object value) {
    if (value instanceof CompositeData composite) {
      return composite.getCompositeType();
    } else if (value instanceof Long) {
      return SimpleType.LONG;
    } else if (value instanceof Integer) {
      return SimpleType.INTEGER;
    } else if (value instanceof Float) {
      return SimpleType.FLOAT;
    } else if (value instanceof Double) {
      return SimpleType.DOUBLE;
    } else if (value instanceof Boolean) {
      return SimpleType.BOOLEAN;
    }
    return SimpleType.STRING;
  }
}
