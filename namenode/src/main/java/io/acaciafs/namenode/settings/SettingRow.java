package io.acaciafs.namenode.settings;

/**
 * A setting as people look at it.
 *
 * @param value that holds, without secrets
 * @param source the name of the file that says so; "default"; or "code"
 * @param defaultText what holds where the site sets nothing
 * @param text what it does
 * @param treatment "honoured", or why it has no effect: "warned", "elsewhere", "unknown", "refused"
 * @param isAcacias whether HDFS does not have it
 */
public record SettingRow(
    String name,
    String value,
    String source,
    String defaultText,
    String text,
    String treatment,
    boolean isAcacias) {}
