package io.ndc.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ndc.nutch.crawl.Crawl;
import io.ndc.nutch.crawl.LoopbackSite;
import io.ndc.nutch.crawl.WarcPages;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.nutch.tools.warc.WARCExporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Nutch's exporter of WARC files makes of a crawl of the sample: each page once. What ndc reads in its files is in
 * docs/inputs.md, by tests/archives.
 */
class ExportedArchivesTest {
  private static final String START = "http://start.example/";
  private static final Pattern TARGET = Pattern.compile("(?m)^WARC-Target-URI: (\\S+)$");

  @TempDir
  Path directory;

  @Test
  void everyPageIsExportedOnce() throws Exception {
    Map<String, WarcPages.Response> pages = SampleCrawlTest.sample();
    StringBuilder start = new StringBuilder("<title>Start</title>");
    pages.keySet().forEach(url -> start.append("<a href='").append(url).append("'>").append(url).append("</a> "));
    pages.put(START, new WarcPages.Response("text/html", start.toString().getBytes(StandardCharsets.UTF_8)));
    Path exported = directory.resolve("exported");
    try (LoopbackSite site = new LoopbackSite(pages)) {
      Crawl crawl = new Crawl(Crawl.configuration(directory, site.port()), directory);
      crawl.inject(List.of(START));
      crawl.run(new WARCExporter(), exported.toString(), crawl.round().toString(), crawl.round().toString());
    }
    List<String> urls = new ArrayList<>();
    try (Stream<Path> files = Files.walk(exported)) {
      for (Path file : files.filter(path -> path.getFileName().toString().startsWith("part-")).toList()) {
        TARGET.matcher(unpacked(file)).results().forEach(found -> urls.add(found.group(1)));
      }
    }
    assertEquals(pages.size(), urls.size());
    Set<String> missing = new HashSet<>(pages.keySet());
    urls.forEach(missing::remove);
    assertEquals(Set.of(), missing);
  }

  private static String unpacked(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    if (bytes.length < 2 || bytes[0] != 0x1f || bytes[1] != (byte) 0x8b) {
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }
}
