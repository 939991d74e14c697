import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.Enumeration;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Removes from the jars of a folder the native libraries of other platforms than Linux with glibc on x86-64 and ARM64;
 * RocksDB's jar alone has those of 15. All other entries stay. These jars and Acacia's own get entries of one time and without
 * the modes of files, so that two builds give the same bytes whatever the umask is.
 *
 * <p>Run by {@code java packaging/DropLibraries.java FOLDER}.
 */
final class DropLibraries {
  private static final Predicate<String> LIBRARY =
      Pattern.compile(".*\\.(so|dll|jnilib|dylib)").asMatchPredicate();

  /** As RocksDB, Netty, and Snappy and HBase's cipher call them. */
  private static final Predicate<String> WANTED =
      Pattern.compile(
              ".*(linux(64|-aarch64)\\.so"
                  + "|netty_(tcnative_linux|transport_native_[a-z0-9_]+)_(x86_64|aarch_64)\\.so"
                  + "|/Linux/(x86_64|aarch64)/[^/]+)")
          .asMatchPredicate();

  /** Of the first day of 1980 the JDK would write the time zone too. */
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

  private static final String OWN = "acacia-";

  public static void main(String[] args) throws IOException {
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(args[0]), "*.jar")) {
      for (Path jar : jars) {
        thin(jar);
      }
    }
  }

  private static void thin(Path jar) throws IOException {
    Path thin = jar.resolveSibling(jar.getFileName() + ".thin");
    try (ZipFile from = new ZipFile(jar.toFile())) {
      if (!jar.getFileName().toString().startsWith(OWN)
          && from.stream().noneMatch(DropLibraries::isUnwanted)) {
        return;
      }
      try (ZipOutputStream to = new ZipOutputStream(Files.newOutputStream(thin))) {
        Enumeration<? extends ZipEntry> entries = from.entries();
        while (entries.hasMoreElements()) {
          ZipEntry entry = entries.nextElement();
          if (!isUnwanted(entry)) {
            ZipEntry copy = new ZipEntry(entry.getName());
            copy.setTimeLocal(TIME);
            to.putNextEntry(copy);
            from.getInputStream(entry).transferTo(to);
            to.closeEntry();
          }
        }
      }
    }
    Files.move(thin, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static boolean isUnwanted(ZipEntry entry) {
    return LIBRARY.test(entry.getName()) && !WANTED.test(entry.getName());
  }
}
