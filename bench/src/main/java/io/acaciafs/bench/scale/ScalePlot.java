package io.acaciafs.bench.scale;

import io.acaciafs.model.SvgChart;
import java.awt.BasicStroke;
import java.awt.Color;
import java.util.Map;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Draws how many times faster more servers are. Stateless. */
final class ScalePlot {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 400;

  private ScalePlot() {}

  static String svg(ScaleReport report) {
    XYSeriesCollection lines = new XYSeriesCollection();
    XYSeries ideal = new XYSeries("linear");
    report.plan().site().servers().forEach(servers -> ideal.add(servers, servers));
    lines.addSeries(ideal);
    for (Map.Entry<String, Map<Integer, ScalePoint>> operation : report.byOperation().entrySet()) {
      XYSeries line = new XYSeries(operation.getKey());
      double one =
          operation.getValue().values().iterator().next().operationsPerSecond()
              / report.plan().site().servers().get(0);
      operation
          .getValue()
          .forEach(
              (servers, point) ->
                  line.add(servers.doubleValue(), point.operationsPerSecond() / one));
      lines.addSeries(line);
    }
    JFreeChart chart =
        ChartFactory.createXYLineChart(
            report.plan().name() + ": throughput relative to one server",
            "servers",
            "times one server",
            lines);
    XYPlot plot = chart.getXYPlot();
    ((NumberAxis) plot.getDomainAxis()).setStandardTickUnits(NumberAxis.createIntegerTickUnits());
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, true);
    renderer.setSeriesShapesVisible(0, false);
    renderer.setSeriesPaint(0, Color.GRAY);
    renderer.setSeriesStroke(
        0, new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 1, new float[] {4}, 0));
    plot.setRenderer(renderer);
    return SvgChart.draw(chart, WIDTH, HEIGHT);
  }
}
