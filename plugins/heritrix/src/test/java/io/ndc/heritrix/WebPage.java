package io.ndc.heritrix;

import java.util.Map;

/**
 * A page as a server gives it out.
 *
 * @param url absolute, http
 * @param status of HTTP
 * @param headers of the answer; Content-Length is added
 * @param body on the wire: what the headers say was done to it, was done
 */
record WebPage(String url, int status, Map<String, String> headers, byte[] body) {
  static WebPage html(String url, String body) {
    return new WebPage(url, 200, Map.of("Content-Type", "text/html; charset=utf-8"), body.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  String contentType() {
    return headers.get("Content-Type");
  }
}
