package io.acaciafs.model;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/**
 * Draws what a site needs while it grows: plans of the site with a part of its files, calls,
 * clients and DataNodes, up to all of them. Immutable.
 */
public final class GrowthPlots {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 480;
  private static final int STEPS_A_DECADE = 6;
  private static final float LINE = 2;
  private static final List<Color> COLORS =
      List.of(
          Color.BLUE,
          new Color(0, 150, 0),
          Color.ORANGE,
          Color.MAGENTA,
          Color.CYAN,
          Color.GRAY,
          new Color(120, 60, 0),
          new Color(90, 0, 150));

  private final List<Plan> plans;

  private GrowthPlots(List<Plan> plans) {
    this.plans = plans;
  }

  /**
   * @param decades from which part of the site on: 10 to the power of minus this
   */
  public static GrowthPlots of(Site site, Costs costs, int decades) {
    List<Plan> plans = new ArrayList<>();
    for (int step = -decades * STEPS_A_DECADE; step <= 0; step++) {
      plans.add(Planner.plan(site.times(Math.pow(10, (double) step / STEPS_A_DECADE)), costs));
    }
    return new GrowthPlots(List.copyOf(plans));
  }

  List<Plan> plans() {
    return plans;
  }

  /** How many servers of each kind whose number grows, as an SVG file. */
  public String servers() {
    Map<String, XYSeries> lines = new LinkedHashMap<>();
    for (Plan plan : plans) {
      for (ServerGroup group : plan.servers()) {
        if (!Double.isNaN(group.utilisation())) {
          line(lines, group.kind()).add(plan.site().objects(), group.count());
        }
      }
    }
    return svg("servers needed", "servers", lines, false);
  }

  /** What is used of what there is, for what more servers do not help, as an SVG file. */
  public String limits() {
    Map<String, XYSeries> lines = new LinkedHashMap<>();
    for (Plan plan : plans) {
      for (Limit limit : plan.limits()) {
        if (!limit.grows() && plan.engine() == Site.Engine.HBASE && limit.part() > 0) {
          line(lines, limit.name()).add(plan.site().objects(), limit.part());
        }
      }
    }
    return svg("what more servers do not help", "used of what there is", lines, true);
  }

  private static XYSeries line(Map<String, XYSeries> lines, String name) {
    return lines.computeIfAbsent(name, XYSeries::new);
  }

  private String svg(
      String title, String what, Map<String, XYSeries> lines, boolean isMarkedAtOne) {
    XYSeriesCollection all = new XYSeriesCollection();
    lines.values().forEach(all::addSeries);
    JFreeChart chart =
        ChartFactory.createXYLineChart(
            plans.get(0).site().name() + ": " + title,
            "objects (files, blocks and directories)",
            what,
            all);
    XYPlot plot = chart.getXYPlot();
    plot.setDomainAxis(decades("objects (files, blocks and directories)"));
    plot.setRangeAxis(decades(what));
    if (isMarkedAtOne) {
      plot.addRangeMarker(new ValueMarker(1, Color.RED, new BasicStroke(1)));
    }
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, false);
    for (int i = 0; i < all.getSeriesCount(); i++) {
      renderer.setSeriesStroke(i, new BasicStroke(LINE));
      renderer.setSeriesPaint(i, COLORS.get(i % COLORS.size()));
    }
    plot.setRenderer(renderer);
    return SvgChart.draw(chart, WIDTH, HEIGHT);
  }

  private static LogAxis decades(String label) {
    LogAxis axis = new LogAxis(label);
    axis.setTickUnit(new NumberTickUnit(1));
    axis.setMinorTickMarksVisible(false);
    return axis;
  }
}
