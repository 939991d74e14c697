package io.acaciafs.fsimage.format;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.FSImageFormatProtobuf.SectionName;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.StringTableSection;

/**
 * The strings of an image by their numbers. Newer images number each kind of string by itself, and
 * put the kind into the highest bits. Immutable. Source: HDFS's SerialNumberManager.
 */
public final class StringTable {
  private static final int USER = 1;
  private static final int GROUP = 2;
  private static final int ATTRIBUTE = 3;

  private final ImageFile image;
  private final int maskBits;
  private final Map<Integer, String> strings;

  private StringTable(ImageFile image, int maskBits, Map<Integer, String> strings) {
    this.image = image;
    this.maskBits = maskBits;
    this.strings = strings;
  }

  static StringTable read(ImageFile image) throws IOException {
    try (SectionReader reader = new SectionReader(image, SectionName.STRING_TABLE)) {
      StringTableSection header = reader.header(StringTableSection.parser());
      int maskBits = header.getMaskBits();
      if (maskBits < 0 || maskBits > Byte.SIZE) {
        throw image.damaged("its table of strings has " + maskBits + " bits of mask");
      }
      Map<Integer, String> strings = new HashMap<>();
      StringTableSection.Entry entry;
      while ((entry = reader.next(StringTableSection.Entry.parser())) != null) {
        strings.put(entry.getId(), entry.getStr());
      }
      if (strings.size() != header.getNumEntry()) {
        throw image.damaged(
            "its table of strings has " + strings.size() + " of " + header.getNumEntry());
      }
      return new StringTable(image, maskBits, strings);
    }
  }

  public String user(int number) throws IOException {
    return required(USER, number);
  }

  public String group(int number) throws IOException {
    return required(GROUP, number);
  }

  public String attribute(int number) throws IOException {
    return required(ATTRIBUTE, number);
  }

  private String required(int kind, int number) throws IOException {
    String string = strings.get(maskBits == 0 ? number : number | kind << Integer.SIZE - maskBits);
    if (string == null) {
      throw image.damaged("its table of strings has no number " + number);
    }
    return string;
  }

  /** Every string, whatever its kind. */
  public Set<String> all() {
    return new HashSet<>(strings.values());
  }
}
