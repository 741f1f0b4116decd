package io.ndc.nutch;

import io.ndc.crawler.Failures;
import io.ndc.crawler.HostPatterns;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.HtmlParseFilter;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseSegment;
import org.apache.nutch.protocol.Content;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.w3c.dom.DocumentFragment;

/**
 * Asks the engine of this crawl for the group of each HTML page while it is parsed, and writes {@code nd.group}, {@code
 * nd.verdict}, {@code nd.resemblance}, {@code nd.probability}, {@code nd.related.group} and {@code nd.flags} into its
 * parse metadata. The page's text and outlinks stay as they are. For crawls in one process: the store of property
 * {@code nd.store} has one writer. With {@code nd.cluster} for any: the pages go to a cluster, and each
 * waits for its answer.
 *
 * <p>A page of the same segment parsed again gets what it got the first time, but for probability and related group,
 * which the store does not keep. If the library fails, the page is parsed without a verdict, and {@code nd.failure} in
 * its metadata says why. Hosts in {@code nd.exclude.hosts} are not looked at. {@code nd.option.KEY} sets ndc's options.
 *
 * <p>Threads: any number may share one.
 */
public final class NdParseFilter implements HtmlParseFilter {
  /** Parse metadata: the group, a number of the store. */
  public static final String GROUP = "nd.group";
  /** Parse metadata: new, near, exact or no-text. */
  public static final String VERDICT = "nd.verdict";
  /** Parse metadata: of the page and the group's representative, 0 to 1; 0 of a new page. */
  public static final String RESEMBLANCE = "nd.resemblance";
  /**
   * Parse metadata: that the page is the same document as the representative, or, of a new page, as the one that came
   * nearest, 0 to 1; missing of a page that was checked before with the same text.
   */
  public static final String PROBABILITY = "nd.probability";
  /** Parse metadata: the group of the page that came nearest to a new one; missing if there was none. */
  public static final String RELATED_GROUP = "nd.related.group";
  /** Parse metadata: ndc's flags in lower case, separated by commas; missing if there are none. */
  public static final String FLAGS = "nd.flags";
  /** Parse metadata, of a cluster only: the URL of the page that this one may be left out of the index for. */
  public static final String COPY_OF = "nd.copy.of";
  /** Parse metadata: why a page has no verdict. */
  public static final String FAILURE = "nd.failure";

  private static final List<String> KEYS =
      List.of(GROUP, VERDICT, RESEMBLANCE, PROBABILITY, RELATED_GROUP, FLAGS, COPY_OF, FAILURE);

  private static final Logger LOG = LoggerFactory.getLogger(NdParseFilter.class);
  private static final Failures FAILURES = new Failures(LOG::warn, "the page is parsed without a verdict");

  private static final DateTimeFormatter SEGMENT_NAME = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");

  private Configuration conf;
  private HostPatterns excluded = HostPatterns.NONE;
  private SharedEngineMBean engine;

  /** For Nutch, which calls {@link #setConf} next. */
  public NdParseFilter() {}

  /** How many pages got no verdict in this process. */
  public static long failures() {
    return FAILURES.count();
  }

  @Override
  public ParseResult filter(Content content, ParseResult parseResult, HTMLMetaTags metaTags, DocumentFragment doc) {
    removeForged(parseResult);
    Parse parse = parseResult == null || content == null ? null : parseResult.get(content.getUrl());
    if (parse == null || !parse.getData().getStatus().isSuccess() || excluded.matchesUrl(content.getUrl())) {
      return parseResult;
    }
    Metadata metadata = parse.getData().getParseMeta();
    try {
      byte[] body = content.getContent() == null ? new byte[0] : content.getContent();
      String type = NdSignature.contentType(content);
      boolean truncated = ParseSegment.isTruncated(content);
      String[] answer = ClusterCheck.isWanted(conf)
          ? ClusterCheck.check(
              conf, SharedEngine.page(content.getUrl(), body, type, fetchTime(content), truncated), metadata)
          : engine().check(content.getUrl(), body, type, fetchTime(content), truncated);
      metadata.set(GROUP, answer[0]);
      metadata.set(VERDICT, answer[1]);
      metadata.set(RESEMBLANCE, answer[2]);
      setUnlessEmpty(metadata, PROBABILITY, answer[3]);
      setUnlessEmpty(metadata, RELATED_GROUP, answer[4]);
      setUnlessEmpty(metadata, FLAGS, answer[5]);
    } catch (VirtualMachineError e) {
      throw e;  // after it nothing is certain
    } catch (Throwable e) {
      FAILURES.add(content.getUrl(), e);
      metadata.set(FAILURE, String.valueOf(e.getMessage()));
    }
    return parseResult;
  }

  private static void setUnlessEmpty(Metadata metadata, String key, String value) {
    if (!value.isEmpty()) {
      metadata.set(key, value);
    }
  }

  // Metadata that a parser copied from the page, whose author may want it in a group, or in none.
  private static void removeForged(ParseResult parseResult) {
    if (parseResult != null) {
      for (Map.Entry<Text, Parse> entry : parseResult) {
        KEYS.forEach(entry.getValue().getData().getParseMeta()::remove);
      }
    }
  }

  // Not in setConf: what fails here must not stop the parser.
  private synchronized SharedEngineMBean engine() {
    if (engine == null) {
      engine = SharedEngine.of(conf);
    }
    return engine;
  }

  // The segment's name is when it was generated. All that parses a segment, the first time or again, reads the same
  // time; 0: unknown.
  private static long fetchTime(Content content) {
    String segment = content.getMetadata() == null ? null : content.getMetadata().get(Nutch.SEGMENT_NAME_KEY);
    try {
      return segment == null ? 0
          : LocalDateTime.parse(segment, SEGMENT_NAME).atZone(ZoneId.systemDefault()).toInstant().toEpochMilli();
    } catch (DateTimeParseException e) {
      return 0;
    }
  }

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    excluded = NutchOptions.excludedHosts(conf, LOG::error);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }
}
