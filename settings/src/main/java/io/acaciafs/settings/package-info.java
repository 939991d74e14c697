/**
 * What a setting is: its name, type, default, range and meaning, declared in one statement. Each
 * module declares its settings as constants of one class, {@code ...ConfigKeys}, and lists them in
 * a {@link io.acaciafs.settings.SettingGroup}. The NameNode checks all of them before it does
 * anything, and docs/configuration.md is made of them.
 *
 * <p>Here live types and ranges; no setting by name, and nothing that knows Hadoop.
 */
@NullMarked
package io.acaciafs.settings;

import org.jspecify.annotations.NullMarked;
