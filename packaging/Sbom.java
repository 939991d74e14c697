import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes the SBOM of a distribution, in CycloneDX: the names, licences and dependencies of Maven's SBOM of the module that
 * needs all others, with the files in lib and their hashes. Of a jar without its libraries for other platforms Maven knows
 * another hash. Fails if a jar is not in Maven's SBOM, or the other way round.
 *
 * <p>Run by {@code java -cp 'FOLDER/lib/*' packaging/Sbom.java MAVENS_SBOM FOLDER}, as Jackson is there.
 */
final class Sbom {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final List<String> ALGORITHMS = List.of("SHA-256", "SHA-512");
  private static final Pattern CLASSIFIER = Pattern.compile("[?&]classifier=([^&]*)");
  private static final String NAME = "acacia";
  private static final String OWN_GROUP = "io.acaciafs";

  private final Path lib;
  private final Set<String> unnamed = new TreeSet<>();

  private Sbom(Path lib) throws IOException {
    this.lib = lib;
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(lib, "*.jar")) {
      jars.forEach(jar -> unnamed.add(jar.getFileName().toString()));
    }
  }

  public static void main(String[] args) throws IOException, NoSuchAlgorithmException {
    Path folder = Path.of(args[1]);
    ObjectNode sbom = (ObjectNode) JSON.readTree(Path.of(args[0]).toFile());
    new Sbom(folder.resolve("lib")).complete(sbom);
    Files.writeString(folder.resolve("sbom.cdx.json"), JSON.writeValueAsString(sbom) + "\n");
  }

  private void complete(ObjectNode sbom) throws IOException, NoSuchAlgorithmException {
    ArrayNode components = (ArrayNode) sbom.get("components");
    ObjectNode module = (ObjectNode) sbom.get("metadata").get("component");
    components.insert(0, module);
    for (JsonNode component : components) {
      describe((ObjectNode) component);
    }
    if (!unnamed.isEmpty()) {
      throw new IOException("Maven's SBOM does not have " + unnamed + ": was it built offline?");
    }

    ObjectNode distribution = JSON.createObjectNode();
    distribution.put("type", "application").put("bom-ref", NAME).put("name", NAME);
    for (String field : List.of("version", "description", "licenses")) {
      distribution.set(field, module.get(field));
    }
    ((ObjectNode) sbom.get("metadata")).set("component", distribution);
    ObjectNode needs = ((ArrayNode) sbom.get("dependencies")).insertObject(0);
    needs.put("ref", NAME).putArray("dependsOn").add(module.get("bom-ref"));
  }

  private void describe(ObjectNode component) throws IOException, NoSuchAlgorithmException {
    String file = fileName(component);
    if (!unnamed.remove(file)) {
      throw new IOException(lib + " does not have " + file + " of Maven's SBOM");
    }
    if (component.path("licenses").isEmpty()) {
      throw new IOException("No licence is known of " + file);
    }
    JsonNode before = component.path("hashes");
    ArrayNode hashes = JSON.createArrayNode();
    byte[] bytes = Files.readAllBytes(lib.resolve(file));
    for (String algorithm : ALGORITHMS) {
      String digest =
          HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
      hashes.addObject().put("alg", algorithm).put("content", digest);
    }
    component.set("hashes", hashes);
    boolean own = component.get("group").asText().equals(OWN_GROUP);
    if (!own && !before.isEmpty() && !isAmong(hashes.get(0), before)) {
      component.putObject("pedigree").put("notes", "without native libraries of other platforms");
    }
    component.withArray("properties").addObject().put("name", "acacia:file").put("value", "lib/" + file);
  }

  private static boolean isAmong(JsonNode hash, JsonNode hashes) {
    for (JsonNode other : hashes) {
      if (other.equals(hash)) {
        return true;
      }
    }
    return false;
  }

  private static String fileName(JsonNode component) {
    Matcher classifier = CLASSIFIER.matcher(component.get("purl").asText());
    return component.get("name").asText()
        + "-"
        + component.get("version").asText()
        + (classifier.find() ? "-" + classifier.group(1) : "")
        + ".jar";
  }
}
