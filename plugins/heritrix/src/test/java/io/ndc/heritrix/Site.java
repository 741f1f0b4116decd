package io.ndc.heritrix;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * A small web on the loopback interface. The crawler uses it as its HTTP proxy, so that pages keep the hosts that they
 * have in their archive.
 */
final class Site implements AutoCloseable {
  /** The beginning of the paths of footnotes. */
  static final String FOOTNOTES = "/only-from";

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
    return new Site(pages, Integer.MAX_VALUE / 4);
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

  /** The same pages, each with a link to a footnote, a page that nothing else links. */
  static Map<String, WebPage> withFootnotes(Map<String, WebPage> pages) {
    Map<String, WebPage> all = new LinkedHashMap<>();
    pages.forEach((url, page) -> {
      String path = URI.create(url).getRawPath();
      String footnote = "http://" + URI.create(url).getHost() + FOOTNOTES + path;
      byte[] link = ("<a href=\"" + FOOTNOTES + path + "\"></a>\n").getBytes(StandardCharsets.US_ASCII);
      byte[] body = Arrays.copyOf(page.body(), page.body().length + link.length);
      System.arraycopy(link, 0, body, page.body().length, link.length);
      all.put(url, new WebPage(url, page.status(), page.headers(), body));
      all.put(footnote, WebPage.html(footnote, "<title>" + path + "</title><p>A footnote to " + path + ".</p>"));
    });
    return all;
  }

  /** The same pages, and for each host a front page that links all its pages but the footnotes. */
  static Map<String, WebPage> withFronts(Map<String, WebPage> pages) {
    Map<String, StringBuilder> fronts = new TreeMap<>();
    for (String url : pages.keySet()) {
      URI uri = URI.create(url);
      StringBuilder text = fronts.computeIfAbsent(front(url), key -> new StringBuilder("<title>Contents</title>\n"));
      if (!uri.getPath().startsWith(FOOTNOTES)) {
        String path = url.substring(front(url).length() - 1).replace("&", "&amp;");
        text.append("<li><a href=\"").append(path).append("\">").append(path).append("</a>\n");
      }
    }
    Map<String, WebPage> all = new LinkedHashMap<>(pages);
    fronts.forEach((url, text) -> all.put(url, WebPage.html(url, text.toString())));
    return all;
  }

  /** The front pages of the hosts of these URLs. */
  static List<String> fronts(Collection<String> urls) {
    return urls.stream().map(Site::front).distinct().sorted().toList();
  }

  private static String front(String url) {
    return "http://" + URI.create(url).getHost() + "/";
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Lets so many pages more be given out. */
  void allow(int count) {
    allowance.release(count);
  }

  /** Releases the request that waits at the gate, if there is one. */
  void allowWhoWaits() {
    if (allowance.hasQueuedThreads()) {
      allowance.release();
    }
  }

  /** Opens the gate for good. */
  void allowAll() {
    allowance.release(Integer.MAX_VALUE / 4);
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
    allowAll();
    server.stop(0);
    threads.shutdownNow();
  }
}
