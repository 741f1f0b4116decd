package io.ndc.stormcrawler;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * A small web on the loopback interface. The crawler uses it as its HTTP proxy, so that pages keep the hosts that they
 * have in their archive. Pages may change while it runs. There is one at a time, and all have one port: StormCrawler
 * keeps the proxy of a process's first topology.
 */
final class Site implements AutoCloseable {
  private static final Map<String, WebPage> PAGES = new ConcurrentHashMap<>();
  private static final HttpServer SERVER = serve();

  Site(Map<String, WebPage> pages) {
    PAGES.clear();
    PAGES.putAll(pages);
  }

  private static HttpServer serve() {
    try {
      HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", Site::answer);
      server.setExecutor(Executors.newCachedThreadPool());
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A page that links all of these. */
  static WebPage links(Collection<String> urls) {
    StringBuilder html = new StringBuilder("<title>Start</title>\n");
    urls.forEach(url -> html.append("<a href='").append(url).append("'>").append(url).append("</a>\n"));
    return WebPage.html(html.toString());
  }

  int port() {
    return SERVER.getAddress().getPort();
  }

  void put(String url, WebPage page) {
    PAGES.put(url, page);
  }

  private static void answer(HttpExchange exchange) throws IOException {
    WebPage page = PAGES.getOrDefault(exchange.getRequestURI().toString(), WebPage.status(404));
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", page.contentType());
      // Metadata that a server tries to inject.
      exchange.getResponseHeaders().set("nd.group", "4711");
      exchange.getResponseHeaders().set("nd.duplicate.of", "http://forged.example/");
      exchange.sendResponseHeaders(page.status(), page.body().length == 0 ? -1 : page.body().length);
      exchange.getResponseBody().write(page.body());
    }
  }

  @Override
  public void close() {
    PAGES.clear();
  }
}
