package io.ndc.nutch.crawl;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * All sites of a crawl behind one port of the loopback interface: {@code GET /?<encoded URL>} answers what that URL
 * would.
 */
public final class LoopbackSite implements AutoCloseable {
  private final Map<String, WarcPages.Response> pages;
  private final Map<String, Integer> requests = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final HttpServer server;

  /** Serves {@code pages} until it is closed; every other URL is a 404. */
  public LoopbackSite(Map<String, WarcPages.Response> pages) throws IOException {
    Hosts.give();
    this.pages = Map.copyOf(pages);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** The port of 127.0.0.1. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** How often {@code url} was asked for. */
  public int requests(String url) {
    return requests.getOrDefault(url, 0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String url = URLDecoder.decode(exchange.getRequestURI().getRawQuery(), StandardCharsets.UTF_8);
      requests.merge(url, 1, Integer::sum);
      WarcPages.Response page = pages.get(url);
      if (page == null) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      if (!page.contentType().isEmpty()) {
        exchange.getResponseHeaders().set("Content-Type", page.contentType());
      }
      exchange.sendResponseHeaders(200, page.body().length == 0 ? -1 : page.body().length);
      exchange.getResponseBody().write(page.body());
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
