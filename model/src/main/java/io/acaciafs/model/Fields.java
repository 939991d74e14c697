package io.acaciafs.model;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The fields of a JSON object, each with a range. What is missing, of another kind, out of its
 * range or not asked for is an error that names the field. For one thread.
 */
final class Fields {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();

  private final String file;
  private final String path;
  private final JsonNode node;
  private final Set<String> asked = new HashSet<>();

  private Fields(String file, String path, JsonNode node) {
    this.file = file;
    this.path = path;
    this.node = node;
  }

  /**
   * @param file how errors call it
   */
  static Fields of(String file, String text) throws InputException {
    JsonNode root;
    try {
      root = MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new InputException(file + " is no JSON: " + e.getOriginalMessage());
    }
    if (!root.isObject()) {
      throw new InputException(file + " is no JSON object.");
    }
    return new Fields(file, "", root);
  }

  boolean has(String name) {
    return node.has(name);
  }

  double number(String name, double least, double most) throws InputException {
    JsonNode value = get(name);
    if (!value.isNumber()) {
      throw wrong(name, "must be a number, and is " + value);
    }
    double number = value.doubleValue();
    if (!(number >= least && number <= most)) {
      throw wrong(name, "must be from " + text(least) + " to " + text(most) + ", and is " + value);
    }
    return number;
  }

  double number(String name, double least, double most, double otherwise) throws InputException {
    return has(name) ? number(name, least, most) : otherwise;
  }

  int whole(String name, int least, int most) throws InputException {
    double number = number(name, least, most);
    if (number != Math.rint(number)) {
      throw wrong(name, "must be a whole number, and is " + number);
    }
    return (int) number;
  }

  int whole(String name, int least, int most, int otherwise) throws InputException {
    return has(name) ? whole(name, least, most) : otherwise;
  }

  String text(String name) throws InputException {
    JsonNode value = get(name);
    if (!value.isTextual() || value.asText().isBlank()) {
      throw wrong(name, "must be a text, and is " + value);
    }
    return value.asText();
  }

  String text(String name, String otherwise) throws InputException {
    return has(name) ? text(name) : otherwise;
  }

  Fields object(String name) throws InputException {
    JsonNode value = get(name);
    if (!value.isObject()) {
      throw wrong(name, "must be an object, and is " + value);
    }
    return new Fields(file, path + name + ".", value);
  }

  /** All fields are objects. */
  Map<String, Fields> objects() throws InputException {
    Map<String, Fields> all = new LinkedHashMap<>();
    for (String name : names()) {
      all.put(name, object(name));
    }
    return all;
  }

  /** In their order. */
  List<String> names() {
    List<String> names = new ArrayList<>();
    for (Iterator<String> all = node.fieldNames(); all.hasNext(); ) {
      names.add(all.next());
    }
    return names;
  }

  /** Fails if there is a field that nobody asked for: it may be a slip. */
  void end() throws InputException {
    for (String name : names()) {
      if (!asked.contains(name)) {
        throw wrong(name, "is not known");
      }
    }
  }

  InputException wrong(String name, String what) {
    return new InputException(file + ": " + path + name + " " + what + ".");
  }

  private JsonNode get(String name) throws InputException {
    asked.add(name);
    JsonNode value = node.get(name);
    if (value == null || value.isNull()) {
      throw wrong(name, "is missing");
    }
    return value;
  }

  private static String text(double bound) {
    return bound == Math.rint(bound) && Math.abs(bound) < 1e6
        ? Long.toString((long) bound)
        : Double.toString(bound);
  }
}
