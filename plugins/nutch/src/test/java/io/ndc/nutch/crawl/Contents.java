package io.ndc.nutch.crawl;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.protocol.Content;

/** What Nutch hands to its plugins, for tests without a crawl. */
public final class Contents {
  private Contents() {}

  /** A page as it was fetched for {@code segment}, which may be null. */
  public static Content content(Configuration conf, String url, byte[] body, String type, String segment) {
    Metadata metadata = new Metadata();
    if (type != null) {
      metadata.set("Content-Type", type);
    }
    if (segment != null) {
      metadata.set(Nutch.SEGMENT_NAME_KEY, segment);
    }
    return new Content(url, url, body, type, metadata, conf);
  }

  /** An HTML page with this text. */
  public static Content html(Configuration conf, String url, String text, String segment) {
    return content(conf, url, ("<html><p>" + text + "</p></html>").getBytes(StandardCharsets.UTF_8),
        "text/html; charset=utf-8", segment);
  }

  /** The parser's result, with one outlink. */
  public static ParseResult parsed(Content content, String text) throws Exception {
    Outlink[] links = {new Outlink("http://link.example/", "link")};
    ParseData data = new ParseData(ParseStatus.STATUS_SUCCESS, "title", links, content.getMetadata(), new Metadata());
    return ParseResult.createParseResult(content.getUrl(), new ParseImpl(text, data));
  }

  /** {@code count} made-up words, from the {@code first} of an endless series. */
  public static String words(int first, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = first; i < first + count; i++) {
      text.append("word").append(Integer.toString(i * 7919, 36)).append(i % 12 == 11 ? ". " : " ");
    }
    return text.toString();
  }
}
