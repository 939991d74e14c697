package io.acaciafs.namenode.settings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.hadoop.conf.Configuration;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What HDFS's own files say of settings. Immutable. */
final class HdfsDescriptions {
  private static final List<String> FILES = List.of("core-default.xml", "hdfs-default.xml");

  private final Map<String, String> texts = new HashMap<>();

  private HdfsDescriptions() {}

  /** Reads them: half a megabyte. */
  static HdfsDescriptions read() {
    HdfsDescriptions descriptions = new HdfsDescriptions();
    FILES.forEach(descriptions::read);
    return descriptions;
  }

  private void read(String file) {
    try (InputStream xml = Configuration.class.getClassLoader().getResourceAsStream(file)) {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      NodeList properties =
          factory.newDocumentBuilder().parse(xml).getElementsByTagName("property");
      for (int i = 0; i < properties.getLength(); i++) {
        Element property = (Element) properties.item(i);
        texts.put(text(property, "name"), text(property, "description"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalStateException("Hadoop's file cannot be read: " + file, e);
    }
  }

  private static String text(Element property, String tag) {
    NodeList found = property.getElementsByTagName(tag);
    return found.getLength() == 0
        ? ""
        : found.item(0).getTextContent().strip().replaceAll("\\s+", " ");
  }

  /** All settings that they describe. */
  Set<String> names() {
    return texts.keySet();
  }

  /** Empty where they say nothing. */
  String of(String setting) {
    return texts.getOrDefault(setting, "");
  }
}
