package io.ndc.stormcrawler;

import java.nio.charset.StandardCharsets;

/**
 * A page as a server gives it out.
 *
 * @param status of HTTP
 * @param contentType the header's value
 */
record WebPage(int status, String contentType, byte[] body) {
  static WebPage html(String body) {
    return new WebPage(200, "text/html; charset=utf-8", body.getBytes(StandardCharsets.UTF_8));
  }

  /** No page but a status, such as 404: not there, or 410: gone for good. */
  static WebPage status(int status) {
    return new WebPage(status, "text/plain", "no page".getBytes(StandardCharsets.UTF_8));
  }
}
