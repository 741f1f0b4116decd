package io.ndc.nutch.crawl;

import crawlercommons.robots.BaseRobotRules;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.Protocol;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;
import org.apache.nutch.protocol.RobotRulesParser;

/** Stands in for protocol-http: asks the {@link LoopbackSite} at port {@code test.loopback.port} for every http and https URL. */
public final class LoopbackProtocol implements Protocol {
  private Configuration conf;

  @Override
  public ProtocolOutput getProtocolOutput(Text url, CrawlDatum datum) {
    try {
      return fetch(url.toString());
    } catch (IOException e) {
      return new ProtocolOutput(null, new ProtocolStatus(e));
    }
  }

  private ProtocolOutput fetch(String url) throws IOException {
    String query = URLEncoder.encode(url, StandardCharsets.UTF_8);
    URI uri = URI.create("http://127.0.0.1:" + conf.getInt("test.loopback.port", 0) + "/?" + query);
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    int code = connection.getResponseCode();
    Metadata header = new Metadata();
    String type = connection.getContentType();
    if (type != null) {
      header.set("Content-Type", type);
    }
    if (code != 200) {
      return new ProtocolOutput(new Content(url, url, new byte[0], type, header, conf),
          new ProtocolStatus(code == 404 ? ProtocolStatus.NOTFOUND : ProtocolStatus.EXCEPTION, url));
    }
    byte[] body = connection.getInputStream().readAllBytes();
    return new ProtocolOutput(new Content(url, url, body, type, header, conf), ProtocolStatus.STATUS_SUCCESS);
  }

  @Override
  public BaseRobotRules getRobotRules(Text url, CrawlDatum datum, List<Content> robotsTxt) {
    return RobotRulesParser.EMPTY_RULES;
  }

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }
}
