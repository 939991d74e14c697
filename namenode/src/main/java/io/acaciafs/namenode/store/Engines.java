package io.acaciafs.namenode.store;

import io.acaciafs.kv.engine.EngineProvider;
import io.acaciafs.namenode.settings.NameNodeConfigKeys;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;

/** The engines on the class path. Stateless; the list of them is immutable. */
public final class Engines {
  /** The default one first. */
  private static final List<EngineProvider> PROVIDERS =
      ServiceLoader.load(EngineProvider.class, Engines.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .sorted(
              Comparator.comparing((EngineProvider provider) -> !isDefault(provider))
                  .thenComparing(EngineProvider::name))
          .toList();

  private Engines() {}

  private static boolean isDefault(EngineProvider provider) {
    return provider.name().equals(NameNodeConfigKeys.STORE_ENGINE.defaultText());
  }

  public static List<EngineProvider> all() {
    return PROVIDERS;
  }

  /**
   * The engine that a site has chosen.
   *
   * @throws IOException for one that is not there
   */
  public static EngineProvider chosen(Configuration conf) throws IOException {
    String name = NameNodeConfigKeys.STORE_ENGINE.in(conf::getTrimmed);
    for (EngineProvider provider : PROVIDERS) {
      if (provider.name().equals(name)) {
        return provider;
      }
    }
    throw new IOException(
        NameNodeConfigKeys.STORE_ENGINE
            + " is "
            + name
            + "; there are "
            + enumeration(provider -> true, "and"));
  }

  /** Whether this is the name of an engine that keeps its store on servers. */
  static boolean isShared(String name) {
    return PROVIDERS.stream()
        .anyMatch(provider -> provider.isShared() && provider.name().equals(name));
  }

  /** The engine that a site has unless it chooses another one. */
  static String defaultName() {
    return NameNodeConfigKeys.STORE_ENGINE.defaultText();
  }

  /** The engines that keep their store on servers; for people. */
  static String namesOnServers() {
    return enumeration(EngineProvider::isShared, "or");
  }

  /** The engines that keep their store in the NameNode's folder; for people. */
  public static String namesInFolder() {
    return enumeration(provider -> !provider.isShared(), "or");
  }

  /** The engines whose store several NameNodes serve; for people. */
  static String namesForMany() {
    return enumeration(Engines::isForMany, "or");
  }

  /** The same as a title. */
  static String titlesForMany() {
    return enumeration(Engines::isForMany, EngineProvider::title, "or");
  }

  private static boolean isForMany(EngineProvider provider) {
    return provider.isShared() || provider.isReplicated();
  }

  private static String enumeration(Predicate<EngineProvider> which, String last) {
    return enumeration(which, EngineProvider::name, last);
  }

  /** As {@code a, b and c}. */
  private static String enumeration(
      Predicate<EngineProvider> which, Function<EngineProvider, String> word, String last) {
    List<String> words = PROVIDERS.stream().filter(which).map(word).toList();
    int most = words.size() - 1;
    return most < 1
        ? String.join("", words)
        : String.join(", ", words.subList(0, most)) + " " + last + " " + words.get(most);
  }
}
