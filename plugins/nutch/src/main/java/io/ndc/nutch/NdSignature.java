package io.ndc.nutch;

import io.ndc.Page;
import io.ndc.Options;
import io.ndc.PageReader;
import io.ndc.crawler.Failures;
import io.ndc.crawler.HostPatterns;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.MD5Hash;
import org.apache.nutch.crawl.MD5Signature;
import org.apache.nutch.crawl.Signature;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.protocol.Content;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A page's sketch as its signature in the crawldb (property {@code db.signature.class}), for {@link NearDedupJob}. It
 * is computed from the raw content; where ndc finds no text in that (PDF, office documents), from the text that Nutch's
 * parser found.
 *
 * <p>Pages without any text, those of hosts in {@code nd.exclude.hosts}, and those for which the library failed have
 * the signature of {@link MD5Signature}, 16 bytes, which equals that of identical content only. Nothing is ever thrown.
 * {@code nd.option.KEY} sets ndc's options; they must be the same on all machines.
 *
 * <p>Threads: any number may share one.
 */
public final class NdSignature extends Signature {
  private static final Logger LOG = LoggerFactory.getLogger(NdSignature.class);
  private static final Failures FAILURES = new Failures(LOG::warn, "the page gets an MD5 signature");

  private Map<String, String> options = Map.of();
  private HostPatterns excluded = HostPatterns.NONE;
  /** Of all threads; null: not needed yet. Nutch never says that it is done, so its Cleaner frees it. */
  private volatile PageReader reader;

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
    reader = null;
    excluded = NutchOptions.excludedHosts(conf, LOG::error);
  }

  /**
   * The signature of a page, 16 or 127 bytes.
   *
   * @param content may be empty
   * @param parse may be null
   */
  @Override
  public byte[] calculate(Content content, Parse parse) {
    try {
      byte[] signature = excluded.matchesUrl(content.getUrl()) ? new byte[0] : sketch(content, parse);
      if (signature.length > 0) {
        return signature;
      }
    } catch (VirtualMachineError e) {
      throw e;  // after it nothing is certain
    } catch (Throwable e) {
      FAILURES.add(content == null ? null : content.getUrl(), e);
    }
    return digest(content);
  }

  // What MD5Signature has: of the content, or of the URL if there is none; and it does not throw without either.
  private static byte[] digest(Content content) {
    byte[] data = content == null ? null : content.getContent();
    if (data == null || data.length == 0) {
      String url = content == null || content.getUrl() == null ? "" : content.getUrl();
      data = url.getBytes(StandardCharsets.UTF_8);
    }
    return MD5Hash.digest(data).getDigest();
  }

  private byte[] sketch(Content content, Parse parse) {
    byte[] body = content.getContent();
    if (body != null && body.length > 0) {
      byte[] signature = reader().signature(Page.of(content.getUrl(), body)
          .withContentType(contentType(content)));
      if (signature.length > 0) {
        return signature;
      }
    }
    String text = parse == null ? null : parse.getText();
    if (text == null || text.isBlank()) {
      return new byte[0];
    }
    Page page = Page.of(content.getUrl(), text.getBytes(StandardCharsets.UTF_8))
        .withContentType("text/plain; charset=utf-8");
    return reader().signature(page);
  }

  // Opened with the first page: what the library refuses then is counted, and nothing is thrown.
  private PageReader reader() {
    PageReader opened = reader;
    if (opened != null) {
      return opened;
    }
    synchronized (this) {
      if (reader == null) {
        reader = PageReader.open(Options.actingOn(options, "pages"));
      }
      return reader;
    }
  }

  /** The header's value, which may name a charset, else the type that Nutch found. */
  static String contentType(Content content) {
    String header = content.getMetadata() == null ? null : content.getMetadata().get("Content-Type");
    String type = header == null ? content.getContentType() : header;
    return type == null ? "" : type;
  }
}
