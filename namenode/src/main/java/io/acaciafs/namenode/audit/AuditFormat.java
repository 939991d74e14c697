package io.acaciafs.namenode.audit;

import java.net.InetAddress;
import java.util.Set;
import org.apache.commons.text.StringEscapeUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.CallerContext;
import org.jspecify.annotations.Nullable;

/**
 * Audit lines as HDFS writes them. Source: {@code FSNamesystem.FSNamesystemAuditLogger}. Immutable.
 *
 * @param debugCommands are written only where the logger is at DEBUG
 * @param trackingId whether lines tell the id of the token by which the caller has authenticated
 * @param remotePort whether the client's port is added to the caller's context
 */
record AuditFormat(
    Set<String> debugCommands,
    boolean trackingId,
    boolean callerContext,
    int maxContextLength,
    int maxSignatureBytes,
    boolean remotePort,
    String separator) {

  static AuditFormat of(Configuration conf) {
    return new AuditFormat(
        Set.of(conf.getTrimmedStrings(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOG_DEBUG_CMDLIST)),
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_AUDIT_LOG_TOKEN_TRACKING_ID_KEY,
            DFSConfigKeys.DFS_NAMENODE_AUDIT_LOG_TOKEN_TRACKING_ID_DEFAULT),
        conf.getBoolean(
            CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_ENABLED_KEY,
            CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_ENABLED_DEFAULT),
        conf.getInt(
            CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_MAX_SIZE_KEY,
            CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_MAX_SIZE_DEFAULT),
        conf.getInt(
            CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_SIGNATURE_MAX_SIZE_KEY,
            CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_SIGNATURE_MAX_SIZE_DEFAULT),
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_AUDIT_LOG_WITH_REMOTE_PORT_KEY,
            DFSConfigKeys.DFS_NAMENODE_AUDIT_LOG_WITH_REMOTE_PORT_DEFAULT),
        conf.get(
            CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_SEPARATOR_KEY,
            CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_SEPARATOR_DEFAULT));
  }

  String text(AuditLine line) {
    StringBuilder out = new StringBuilder(256);
    out.append("allowed=").append(line.access().allowed());
    field(out, "ugi", withoutControls(line.user()));
    InetAddress ip = line.address() == null ? null : line.address().getAddress();
    field(out, "ip", ip == null ? null : "/" + ip.getHostAddress());
    field(out, "cmd", line.access().command());
    field(out, "src", StringEscapeUtils.escapeJava(line.access().source()));
    field(out, "dst", StringEscapeUtils.escapeJava(line.access().destination()));
    field(
        out,
        "perm",
        line.status() == null
            ? null
            : withoutControls(line.status().owner() + ":" + line.status().group())
                + ":"
                + line.status().permission());
    if (trackingId) {
      field(out, "trackingId", line.token() == null ? null : line.token().getTrackingId());
    }
    field(out, "proto", line.protocol());
    if (callerContext) {
      context(out, withPort(line));
    }
    return out.toString();
  }

  /** A client chooses its name, which must not forge a line. Other names stay unchanged. */
  private static String withoutControls(String name) {
    return name == null || name.chars().noneMatch(AuditFormat::isControl)
        ? name
        : StringEscapeUtils.escapeJava(name);
  }

  private static boolean isControl(int character) {
    return Character.isISOControl(character) || character == 0x2028 || character == 0x2029;
  }

  private static void field(StringBuilder out, String name, @Nullable String value) {
    out.append('\t').append(name).append('=').append(value);
  }

  private @Nullable CallerContext withPort(AuditLine line) {
    CallerContext context = line.context();
    String known = context == null ? null : context.getContext();
    if (!remotePort
        || line.address() == null
        || (known != null && known.contains(CallerContext.CLIENT_PORT_STR))) {
      return context;
    }
    return new CallerContext.Builder(known, separator)
        .append(CallerContext.CLIENT_PORT_STR, String.valueOf(line.address().getPort()))
        .setSignature(context == null ? null : context.getSignature())
        .build();
  }

  private void context(StringBuilder out, @Nullable CallerContext context) {
    if (context == null || !context.isContextValid()) {
      return;
    }
    String text = StringEscapeUtils.escapeJava(context.getContext());
    field(
        out,
        "callerContext",
        text.length() > maxContextLength ? text.substring(0, maxContextLength) : text);
    byte[] signature = context.getSignature();
    if (signature != null && signature.length > 0 && signature.length <= maxSignatureBytes) {
      out.append(':')
          .append(
              StringEscapeUtils.escapeJava(
                  new String(signature, CallerContext.SIGNATURE_ENCODING)));
    }
  }
}
