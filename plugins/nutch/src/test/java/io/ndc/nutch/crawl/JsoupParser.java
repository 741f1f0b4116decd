package io.ndc.nutch.crawl;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.HtmlParseFilters;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.protocol.Content;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Stands in for parse-html: text, title and outlinks by jsoup, then the HTML parse filters, as that plugin calls them. */
public final class JsoupParser implements Parser {
  private Configuration conf;
  private HtmlParseFilters filters;

  @Override
  public ParseResult getParse(Content content) {
    try {
      Document page = Jsoup.parse(new ByteArrayInputStream(content.getContent()), null, content.getBaseUrl());
      List<Outlink> links = new ArrayList<>();
      for (Element anchor : page.select("a[href]")) {
        String target = anchor.absUrl("href").replaceFirst("#.*", "");
        if (target.startsWith("http")) {
          links.add(new Outlink(target, anchor.text()));
        }
      }
      ParseData data = new ParseData(ParseStatus.STATUS_SUCCESS, page.title(), links.toArray(new Outlink[0]),
          content.getMetadata(), new Metadata());
      ParseResult result = ParseResult.createParseResult(content.getUrl(), new ParseImpl(page.text(), data));
      return filters.filter(content, result, new HTMLMetaTags(),
          DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument().createDocumentFragment());
    } catch (IOException | ParserConfigurationException e) {
      return new ParseStatus(e).getEmptyParseResult(content.getUrl(), conf);
    }
  }

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    filters = new HtmlParseFilters(conf);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }
}
