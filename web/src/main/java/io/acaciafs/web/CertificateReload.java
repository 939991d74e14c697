package io.acaciafs.web;

import java.io.File;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.ssl.FileBasedKeyStoresFactory;
import org.apache.hadoop.security.ssl.SSLFactory.Mode;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has HTTPS show certificates that were renewed, without a restart. Takes the place of Hadoop's
 * monitor, which has Jetty forget the certificates before it reads the files: nobody would be
 * served while one is half written. Here new ones are taken when they have been read and fit their
 * keys, and those from before stay until then. Looks at the files on a thread of its own, as often
 * as {@code ssl.server.stores.reload.interval} says.
 */
final class CertificateReload implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateReload.class);

  private final Configuration conf;
  private final SslContextFactory.Server shown;
  private final List<File> files;
  private final Timer timer = new Timer("web-certificates", true);
  private List<Stamp> taken;
  private @Nullable List<Stamp> refused;

  /** By which a change of a file is seen; zeros of one that is not there. */
  private record Stamp(long modifiedMs, long bytes) {
    static Stamp of(File file) {
      return new Stamp(file.lastModified(), file.length());
    }
  }

  /**
   * Begins to look.
   *
   * @param shown has not read the files yet
   */
  CertificateReload(Configuration conf, SslContextFactory.Server shown) {
    this.conf = conf;
    this.shown = shown;
    this.files = WebTls.files(conf);
    this.taken = stamps();
    long periodMs = periodMs(conf);
    if (periodMs > 0) {
      TimerTask look =
          new TimerTask() {
            @Override
            public void run() {
              look();
            }
          };
      timer.schedule(look, periodMs, periodMs);
    }
  }

  private static long periodMs(Configuration conf) {
    return conf.getLong(
        FileBasedKeyStoresFactory.resolvePropertyName(
            Mode.SERVER, FileBasedKeyStoresFactory.SSL_STORES_RELOAD_INTERVAL_TPL_KEY),
        FileBasedKeyStoresFactory.DEFAULT_SSL_STORES_RELOAD_INTERVAL);
  }

  /** Hadoop's monitor, which reads its interval by this very name, is not to run. */
  static void replaceHadoops(Configuration conf) {
    conf.setLong(FileBasedKeyStoresFactory.SSL_STORES_RELOAD_INTERVAL_TPL_KEY, 0);
  }

  private List<Stamp> stamps() {
    return files.stream().map(Stamp::of).toList();
  }

  /** Takes what was renewed; tries again next time where that cannot be. */
  synchronized void look() {
    List<Stamp> now = stamps();
    if (now.equals(taken)) {
      return;
    }
    try {
      WebTls.Stores stores = WebTls.read(conf);
      stores.requireFit();
      shown.reload(stores::giveTo);
      taken = now;
      LOG.info("Certificates of HTTPS were renewed files={}", files);
    } catch (Exception e) { // one that escaped would end all further looks
      if (!now.equals(refused)) {
        LOG.error("Certificates of HTTPS were not renewed, those from before stay", e);
      }
      refused = now;
    }
  }

  @Override
  public void close() {
    timer.cancel();
  }
}
