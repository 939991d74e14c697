/**
 * Settings of the block manager: plain values in one place for each subject; and the {@link
 * io.acaciafs.blocks.settings.BlockContext} that all its parts share.
 *
 * <p>Nothing here reads a configuration file or knows what the values are for beyond their unit.
 */
@NullMarked
package io.acaciafs.blocks.settings;

import org.jspecify.annotations.NullMarked;
