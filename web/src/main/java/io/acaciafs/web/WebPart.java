package io.acaciafs.web;

/** Something that is served by HTTP. */
@FunctionalInterface
public interface WebPart {

  /** Adds its servlets and filters; called once, before the server answers anything. */
  void addTo(WebSite site);
}
