package io.acaciafs.web;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * {@code /metrics} in Prometheus's text format: what a source tells, and the JVM's own numbers.
 * Nothing is computed until somebody asks.
 */
public final class MetricsPart implements WebPart {
  private final MetricSource source;

  public MetricsPart(MetricSource source) {
    this.source = source;
  }

  @Override
  public void addTo(WebSite site) {
    PrometheusRegistry registry = new PrometheusRegistry();
    JvmMetrics.builder().register(registry);
    site.servlet("/metrics", new Servlet(source, registry));
  }

  private static final class Servlet extends HttpServlet {
    private final transient MetricSource source;
    private final transient PrometheusRegistry jvm;
    private final transient PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();

    Servlet(MetricSource source, PrometheusRegistry jvm) {
      this.source = source;
      this.jvm = jvm;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      MetricSink sink = new MetricSink();
      source.tell(sink);
      MetricSnapshots.Builder all = MetricSnapshots.builder();
      sink.snapshots().forEach(all::metricSnapshot);
      jvm.scrape().forEach(all::metricSnapshot);
      response.setContentType(writer.getContentType());
      writer.write(response.getOutputStream(), all.build());
    }
  }
}
