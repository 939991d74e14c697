package io.acaciafs.settings;

import java.util.List;

/**
 * Settings that belong together: those of a module.
 *
 * @param title for people
 * @param settings in the order in which people read them
 */
public record SettingGroup(String title, List<Setting<?>> settings) {
  public SettingGroup {
    settings = List.copyOf(settings);
  }
}
