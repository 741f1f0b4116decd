package io.ndc.nutch;

import io.ndc.Page;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.MD5Signature;
import org.apache.nutch.crawl.Signature;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.protocol.Content;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A page's sketch as its signature in the crawldb (property {@code db.signature.class}), for {@link NearDedupJob}. It is computed from the raw
 * content; where ndc finds no text in that (PDF, office documents), from the text that Nutch's parser found.
 *
 * <p>Pages without any text, those of hosts in {@code nd.exclude.hosts}, and those for which the library failed have the signature of
 * {@link MD5Signature}, 16 bytes, which equals that of identical content only. Nothing is ever thrown. {@code nd.option.KEY} sets ndc's options;
 * they must be the same on all machines.
 *
 * <p>Threads: any number may share one.
 */
public final class NdSignature extends Signature {
  private static final Logger LOG = LoggerFactory.getLogger(NdSignature.class);
  private static final Failures FAILURES = new Failures(LOG, "the page gets an MD5 signature");

  private final MD5Signature fallback = new MD5Signature();
  private Map<String, String> options = Map.of();
  private HostPatterns excluded = new HostPatterns(null);

  /** For Nutch, which calls {@link #setConf} next. */
  public NdSignature() {}

  /** How often the library failed in this process. */
  public static long failures() {
    return FAILURES.count();
  }

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    options = NutchOptions.of(conf);
    excluded = new HostPatterns(conf.get("nd.exclude.hosts"));
  }

  /**
   * The signature of a page, 1 to 127 bytes.
   *
   * @param parse may be null
   */
  @Override
  public byte[] calculate(Content content, Parse parse) {
    try {
      byte[] signature = excluded.matches(content.getUrl()) ? new byte[0] : sketch(content, parse);
      if (signature.length > 0) {
        return signature;
      }
    } catch (Throwable e) {
      FAILURES.add(content.getUrl(), e);
    }
    return fallback.calculate(content, parse);
  }

  private byte[] sketch(Content content, Parse parse) {
    byte[] body = content.getContent();
    if (body != null && body.length > 0) {
      byte[] signature = io.ndc.Signature.compute(Page.of(content.getUrl(), body).withContentType(contentType(content)), options);
      if (signature.length > 0) {
        return signature;
      }
    }
    String text = parse == null ? null : parse.getText();
    if (text == null || text.isBlank()) {
      return new byte[0];
    }
    Page page = Page.of(content.getUrl(), text.getBytes(StandardCharsets.UTF_8)).withContentType("text/plain; charset=utf-8");
    return io.ndc.Signature.compute(page, options);
  }

  /** The header's value, which may name a charset, else the type that Nutch found. */
  static String contentType(Content content) {
    String header = content.getMetadata() == null ? null : content.getMetadata().get("Content-Type");
    String type = header == null ? content.getContentType() : header;
    return type == null ? "" : type;
  }
}
