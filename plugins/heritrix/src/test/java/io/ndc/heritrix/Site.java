package io.ndc.heritrix;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * A small web on the loopback interface. The crawler uses it as its HTTP proxy, so that pages keep the hosts that they have in their
 * archive. Each host has a front page that links all its pages.
 */
final class Site implements AutoCloseable {
  private final Map<String, WebPage> pages;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  /** How many pages may still be given out; requests beyond wait. */
  private final Semaphore allowance;

  private Site(Map<String, WebPage> pages, int allowance) throws IOException {
    this.pages = pages;
    this.allowance = new Semaphore(allowance);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  /** Gives out all pages at once. */
  static Site of(Map<String, WebPage> pages) throws IOException {
    return new Site(pages, Integer.MAX_VALUE / 2);
  }

  /** Gives out as many pages as it was allowed. */
  static Site gated(Map<String, WebPage> pages) throws IOException {
    return new Site(pages, 0);
  }

  /** The pages of a WARC file by URL; https becomes http. */
  static Map<String, WebPage> pages(Path warc) throws IOException {
    Map<String, WebPage> pages = new LinkedHashMap<>();
    for (WarcRecord record : WarcRecord.read(warc)) {
      if ("response".equals(record.type())) {
        WebPage page = record.httpPage();
        String url = page.url().replaceFirst("^https:", "http:");
        pages.put(url, new WebPage(url, page.status(), page.headers(), page.body()));
      }
    }
    return pages;
  }

  /** The same pages, each with a link to a page of its own that nothing else links, and a front page for each host. */
  static Map<String, WebPage> linked(Map<String, WebPage> pages) {
    Map<String, WebPage> all = new LinkedHashMap<>();
    Map<String, StringBuilder> fronts = new LinkedHashMap<>();
    pages.forEach(
        (url, page) -> {
          String path = URI.create(url).getRawPath();
          String host = URI.create(url).getHost();
          String leaf = "http://" + host + "/only-from" + path;
          byte[] link = ("<a href=\"/only-from" + path + "\"></a>\n").getBytes(StandardCharsets.US_ASCII);
          byte[] body = java.util.Arrays.copyOf(page.body(), page.body().length + link.length);
          System.arraycopy(link, 0, body, page.body().length, link.length);
          all.put(url, new WebPage(url, page.status(), page.headers(), body));
          all.put(leaf, WebPage.html(leaf, "<title>" + path + "</title><p>A footnote to " + path + ".</p>"));
          fronts.computeIfAbsent(host, key -> new StringBuilder("<title>Contents</title>\n")).append(
              "<li><a href=\"" + path + "\">" + path + "</a>\n");
        });
    fronts.forEach((host, text) -> all.put("http://" + host + "/", WebPage.html("http://" + host + "/", text.toString())));
    return all;
  }

  static List<String> fronts(Collection<String> urls) {
    Set<String> fronts = new TreeSet<>();
    urls.forEach(url -> fronts.add("http://" + URI.create(url).getHost() + "/"));
    return new ArrayList<>(fronts);
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Lets so many pages more be given out. */
  void allow(int count) {
    allowance.release(count);
  }

  private void answer(HttpExchange exchange) throws IOException {
    WebPage page = pages.get(exchange.getRequestURI().toString());
    if (page != null) {
      allowance.acquireUninterruptibly();
    }
    try (exchange) {
      if (page == null) {
        byte[] sorry = "Not found".getBytes(StandardCharsets.US_ASCII);
        exchange.getResponseHeaders().set("Content-Type", "text/html");
        exchange.sendResponseHeaders(404, sorry.length);
        exchange.getResponseBody().write(sorry);
        return;
      }
      page.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(page.status(), page.body().length == 0 ? -1 : page.body().length);
      exchange.getResponseBody().write(page.body());
    }
  }

  @Override
  public void close() {
    allowance.release(Integer.MAX_VALUE / 4);
    server.stop(0);
    threads.shutdownNow();
  }
}
