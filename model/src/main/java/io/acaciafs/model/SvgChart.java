package io.acaciafs.model;

import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.geom.Rectangle2D;
import java.io.StringWriter;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGGraphics2DIOException;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.XYPlot;
import org.w3c.dom.Document;

/** Draws a chart on white, as an SVG file. Stateless. */
public final class SvgChart {
  private static final String NAMESPACE = "http://www.w3.org/2000/svg";

  private static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
  private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 18);

  private SvgChart() {}

  /**
   * Draws a chart.
   *
   * @param chart with two axes, a title and a legend
   * @param width in pixels, as the height
   */
  public static String draw(JFreeChart chart, int width, int height) {
    chart.setBackgroundPaint(Color.WHITE);
    chart.getTitle().setFont(TITLE); // in place of a font that most machines lack
    chart.getLegend().setItemFont(TEXT);
    XYPlot plot = chart.getXYPlot();
    plot.setBackgroundPaint(Color.WHITE);
    plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
    plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
    SVGGraphics2D graphics = new SVGGraphics2D(newDocument());
    graphics.setSVGCanvasSize(new Dimension(width, height));
    chart.draw(graphics, new Rectangle2D.Double(0, 0, width, height));
    StringWriter text = new StringWriter();
    try {
      graphics.stream(text);
    } catch (SVGGraphics2DIOException e) {
      throw new IllegalStateException("A text in memory takes all that is written", e);
    }
    return text.toString();
  }

  private static Document newDocument() {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .getDOMImplementation()
          .createDocument(NAMESPACE, "svg", null);
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("The JDK has a parser with default settings", e);
    }
  }
}
